import { expect, it } from "vitest";
import { emailIssue } from "./email-address.ts";

it.each(["jürgen@example.org", "почта@example.org", "ada\u200b@example.org"])(
  "%s is refused, because mail could not be delivered to it",
  (email) => expect(emailIssue(email)).toMatch(/only plain letters \(a to z\) before the @/),
);

it.each(["ada@müller.example", " o'brien+news@example.org ", "root@localhost"])(
  "%s is taken",
  (email) => expect(emailIssue(email)).toBeUndefined(),
);
