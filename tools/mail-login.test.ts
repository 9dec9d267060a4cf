import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { checkMailLogin } from "./mail-login.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A mail server that takes a login, or none. Resolves with its host. */
async function mailServer(answerToLogin: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("220 ready\r\n");
    socket.on("data", (line: Buffer) => {
      const command = line.toString().slice(0, 4).toUpperCase();
      if (command === "EHLO") socket.write("250-here\r\n250 AUTH PLAIN\r\n");
      else if (command === "AUTH") socket.write(`${answerToLogin}\r\n`);
      else socket.end("221 bye\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("says that the mail server takes the login", async () => {
  const host = await mailServer("235 yes");
  expect(await checkMailLogin(`smtp://user:secret@${host}`)).toBe(`${host} takes the login`);
  expect(await checkMailLogin(`smtp://${host}`)).toBe(`${host} takes mail without a login`);
});

it("warns of a login that is refused, without the password", async () => {
  const host = await mailServer("535 no such user with my+secret");
  const answer = await checkMailLogin(`smtp://user:my%2Bsecret@${host}`);
  expect(answer).toEqual({ warning: expect.stringContaining("535 no such user with …") });
  expect(JSON.stringify(answer)).not.toContain("secret");
});

it("warns of a mail server that is not there", async () => {
  const host = await mailServer("235 yes");
  for (const close of closing.splice(0)) close();
  expect(await checkMailLogin(`smtp://${host}`)).toEqual({
    warning: expect.stringMatching(/takes no mail from here: .*ECONNREFUSED/),
  });
});
