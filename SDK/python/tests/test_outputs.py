"""What an alert, a message and an annotation publish."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from agent_module import Alert, Annotation, Message, output_events  # noqa: E402

OUTPUT = {
    "author": {"id": 2, "name": "Flow"},
    "room": "ops",
    "dashboard": {"id": 17, "name": "Well 0"},
    "message_event": {"event_type": "raw_well0", "mnemonic": "MSG"},
}


class OutputTests(unittest.TestCase):
    def test_an_alert_is_an_event_a_chat_message_and_a_value_of_the_channel(self) -> None:
        fields = {"height": 3.2, "text": "not this"}
        alert = Alert("3.2 m.", "High water", "critical", key="tide", since=5, fields=fields)
        said, message, value = output_events(OUTPUT, alert, 1000)
        people = {"author": {"id": 2, "name": "Flow"}, "room": {"id": "ops"}}
        own = {
            "state": "raised", "severity": "critical", "title": "High water", "text": "3.2 m.",
            "key": "tide", "since": 5, "height": 3.2, **people,
        }
        self.assertEqual((said.type, said.timestamp, said.fields), ("alert", 1000, own))
        uid = message.fields.pop("uid")
        self.assertRegex(uid, r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        own = {"createdAt": 1000, "message": "High water: 3.2 m.", **people}
        self.assertEqual((message.type, message.timestamp, message.fields), ("__message", 1000, own))
        self.assertEqual((value.type, value.timestamp), ("raw_well0", 1000))
        self.assertEqual(value.fields, {"MSG": {"value": "High water: 3.2 m."}})

    def test_without_a_room_nobody_is_told_in_a_chat(self) -> None:
        (said,) = output_events({"event_type": "flood"}, Alert("High.", state="resolved"), 1)
        self.assertEqual(said.type, "flood")
        self.assertEqual(said.fields, {"state": "resolved", "severity": "warning", "text": "High."})
        self.assertEqual(output_events(None, Message("Hello."), 1), [])
        (said,) = output_events(None, Message("Hello.", {"name": "Ada"}, {"id": "here"}, "u", 5), 9)
        self.assertEqual(said.timestamp, 5)
        own = {"uid": "u", "createdAt": 5, "message": "Hello.", "author": {"name": "Ada"}}
        self.assertEqual(said.fields, {**own, "room": {"id": "here"}})

    def test_an_annotation_has_a_beginning_and_an_end(self) -> None:
        (said,) = output_events(OUTPUT, Annotation("Pretest.", uid="p", color="#E87919"), 1000)
        self.assertEqual(said.type, "__annotations")
        self.assertEqual(said.fields, {
            "uid": "p", "createdAt": 1000, "begin": 1000, "end": 31000, "message": "Pretest.",
            "author": "Flow", "room": {"id": "ops"}, "dashboardId": 17, "dashboard": "Well 0",
            "searchable": True, "__color": "#E87919", "__overwrite": ["uid"],
        })
        (said,) = output_events(None, Annotation("", begin=5, end=4), 1)
        self.assertEqual((said.fields["begin"], said.fields["end"]), (5, 30005))


if __name__ == "__main__":
    unittest.main()
