// Every page but the big screen's. A visitor from the poster gets nothing else.

import "./requests.js";
import "./app.js";
import "./keys.js";
import "./language.js";
import "./strip.js";
import "../../clock/live.js";
import "../../clock/notary.js";
import "./again.js";
import "./own-pages.js";
import "./lost.js";
