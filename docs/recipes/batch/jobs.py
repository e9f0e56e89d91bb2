"""Writes ten jobs, as a batch takes them."""
import json

print(json.dumps([
    {"name": f"Data Processing Job {index}", "type": "data_processing", "status": "queued",
     "subsystem": "batch_processor", "metadata": {"batch_id": "batch_001", "job_index": index}}
    for index in range(10)
]))
