"""``python3 -m agent_health``: see :mod:`agent_health.command`."""

import sys

from .command import main

sys.exit(main())
