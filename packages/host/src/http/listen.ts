// Binds and closes the servers of a host.

import type { Server } from "node:http";
import { BootError } from "../boot-error.ts";

/** How long running requests may take to finish when the server closes. */
const drainTimeoutMs = 3000;

/**
 * Binds the server and resolves with its port.
 * @param port 0 asks the system for a free port.
 * @param variable what an operator sets to another port.
 * @throws {BootError} when the port is taken or the address cannot be used.
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
  variable = "PORT",
): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${port} is already in use; stop the other program or set ${variable}.`
          : `The host cannot listen on ${host}:${port}: ${error.message}`;
      reject(new BootError(reason));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Stops accepting connections, waits for running requests up to a timeout, then closes the rest. */
export async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
