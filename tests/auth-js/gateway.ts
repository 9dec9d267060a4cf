import { once } from "node:events";
import { createServer, request } from "node:http";

/**
 * Stands for the gateway in front of a host: listens on a port of this machine and hands everything on.
 * @param prefix put before each path, because the suite's containers have the auth service without the API around it
 * @param apiKey given to requests that bring none, because only a gateway asks for one
 */
export async function startSuiteGateway(
  port: number,
  { to, prefix = "", apiKey }: { to: string; prefix?: string; apiKey: string },
): Promise<{ close: () => void }> {
  const server = createServer((incoming, answer) => {
    const headers = { apikey: apiKey, ...incoming.headers };
    const { method } = incoming;
    const outgoing = request(`${to}${prefix}${incoming.url ?? ""}`, { method, headers });
    outgoing.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
