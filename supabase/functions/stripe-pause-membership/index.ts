import handle from "./handler.ts";

Deno.serve((request) => handle(request, { env: Deno.env.toObject() }));
