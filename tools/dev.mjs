import { supervise } from "./supervise.mjs";

// A change to the host, the functions, the sandbox or the tools restarts the server; the web app reloads by itself.
const watched = ["packages", "supabase/functions", "tools"];
await supervise(["tools/dev.ts"], { watched });
