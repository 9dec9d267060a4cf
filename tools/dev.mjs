import { runOnProductNode } from "./runtime.mjs";

// A change to the host, the functions or the wiring starts the server again; the web app reloads by itself.
const watched = ["host/src", "supabase/functions", "stripe-sandbox/src", "tools"];
const flags = watched.flatMap((path) => ["--watch-path", path]);
await runOnProductNode([...flags, "--watch-preserve-output", "tools/dev.ts"], { stdio: "inherit" });
