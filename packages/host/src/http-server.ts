/** `basehost/http-server`: the HTTP server of the host, with its limits, for a program with routes of its own. */
export { defaultHttpLimits, type HttpLimits } from "./http/http-limits.ts";
export { closeServer, listen } from "./http/listen.ts";
export { createHttpServer } from "./http/server.ts";
