import { supervise } from "./supervise.mjs";

// A change to the host, the functions, the sandbox or the tools restarts the server; the web app reloads by itself.
const watched = ["packages/host/src", "supabase/functions", "packages/stripe-sandbox/src", "tools"];
await supervise(["tools/dev.ts"], { watched });
