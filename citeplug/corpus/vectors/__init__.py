"""Vectors: of what, by which embedding model, and in which store.

Nothing phones home: these switches are read when the libraries are imported, which is later than this. ONNX Runtime
keeps a device id and reports sessions from 1.29 on; its `disable_telemetry_events` comes too late for the first.
"""

import os

os.environ.update(ORT_DISABLE_TELEMETRY="1", ANONYMIZED_TELEMETRY="False", HF_HUB_DISABLE_TELEMETRY="1")
