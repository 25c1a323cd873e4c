"""Say how much of the code the tests ran, and fail where a file has less than 80 %.

Most items of the papers need real data sets: without them their files are not judged.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

LEAST = 80.0

file = Path("build/coverage.json")
file.parent.mkdir(exist_ok=True)
subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", file], check=True)
report = json.loads(file.read_text("utf-8"))
shares = {name: entry["summary"]["percent_covered"] for name, entry in report["files"].items()}
print(f"coverage: {report['totals']['percent_covered']:.1f} % of {len(shares)} files")
judged = {
    name: share
    for name, share in sorted(shares.items())
    if "twofold_papers" not in name or os.environ.get("TWOFOLD_DATA")
}
low = {name: share for name, share in judged.items() if share < LEAST}
for name, share in low.items():
    print(f"  {name}: {share:.0f} %, less than {LEAST:.0f} %")
sys.exit(bool(low))
