import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { RetryableBootError } from "../boot-error.ts";
import { connectOwner } from "./bootstrap.ts";

let server: ReturnType<typeof createServer> | undefined;
afterEach(() => server?.close());

/** A server that does this with every connection, and its address. */
async function serve(accept: (socket: Socket) => void): Promise<string> {
  server = createServer(accept).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return `postgresql://owner:secret@127.0.0.1:${port}/postgres`;
}

it("a server that goes away while it is asked may be back the next time", async () => {
  const url = await serve((socket) => socket.once("data", () => socket.destroy()));
  await expect(connectOwner(url)).rejects.toThrow(RetryableBootError);
});

it("a server that refuses the login will do so again", async () => {
  const url = await serve((socket) =>
    socket.once("data", () => {
      const fields = Buffer.from("SFATAL\0C28P01\0Mno such login\0\0");
      const head = Buffer.from("E\0\0\0\0");
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    }),
  );
  const refused = await connectOwner(url).catch((error: unknown) => error);
  expect(refused).not.toBeInstanceOf(RetryableBootError);
  expect(String(refused)).toContain("no such login");
});
