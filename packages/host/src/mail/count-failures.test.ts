import { expect, it, vi } from "vitest";
import { countFailures } from "./count-failures.ts";
import { createInboxMailer } from "./inbox-mailer.ts";

const mail = { to: "to@example.test", subject: "s", text: "t" };

it("counts what the mail server did not take since it took one", async () => {
  const send = vi.fn(async () => await Promise.resolve());
  const mailer = countFailures({ ...createInboxMailer("from@example.test"), send });
  send.mockRejectedValueOnce(new Error("ECONNREFUSED"));
  send.mockRejectedValueOnce(new Error("ECONNREFUSED"));
  await expect(mailer.send(mail)).rejects.toThrow("ECONNREFUSED");
  await expect(mailer.send(mail)).rejects.toThrow("ECONNREFUSED");
  expect(mailer.failures()).toBe(2);
  await mailer.send(mail);
  expect(mailer.failures()).toBe(0);
});

it("does not count an address that is refused: strangers choose those", async () => {
  const send = async () =>
    await Promise.reject(Object.assign(new Error("550 no such user"), { command: "RCPT TO" }));
  const mailer = countFailures({ ...createInboxMailer("from@example.test"), send });
  await expect(mailer.send(mail)).rejects.toThrow("550");
  expect(mailer.failures()).toBe(0);
});
