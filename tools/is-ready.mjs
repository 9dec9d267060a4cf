// Ends with 0 when the product on this machine is ready, for the health check of a container.
const port = process.env.PORT || "3000";
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
  signal: AbortSignal.timeout(5000),
}).catch(() => undefined);
process.exit(answer?.ok === true ? 0 : 1);
