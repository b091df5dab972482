// Every page of a device that is signed in: its taps wait while the server is out of reach.

import "./page.js";
import "./queue-sheets.js";
import "./second-display.js";
import "./floor.js";
