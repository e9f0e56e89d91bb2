"""Reads a ticket: how urgent it is, which team answers it, and who is asked where they don't."""
import json
import subprocess

URGENT = ("down", "can't order", "paid twice", "stolen")
TEAMS = {"billing": ("invoice", "paid", "refund"), "shipping": ("parcel", "delivery", "arrive")}


def triage(context):
    ticket = context["data"]
    text = ticket["text"].lower()
    teams = [team for team, words in TEAMS.items() if any(word in text for word in words)]
    urgent = any(word in text for word in URGENT)
    task = {
        "type": "ticket", "input": ticket, "parent": context["task"]["id"],
        "capability": teams[0] if teams else "first_line",
        "priority": "critical" if urgent else "normal",
        "escalation": [{"when": "unaccepted", "after_ms": 500 if urgent else 3_600_000,
                        "to": {"user": ticket["lead"]}}],
    }
    made = subprocess.run(
        ["agent", "task", "create", ticket["subject"], "--queue", "--json", "--with", json.dumps(task)],
        check=True, stdout=subprocess.PIPE)
    return {"team": task["capability"], "urgent": urgent, "ticket": json.loads(made.stdout)["id"]}
