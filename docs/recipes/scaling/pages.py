"""Writes thirty pages, as a batch takes them."""
import json

print(json.dumps([
    {"name": f"page {page}", "type": "page", "status": "queued", "input": {"page": page}}
    for page in range(30)
]))
