import { expect, it } from "vitest";
import { visitorName } from "./visitor.ts";

const nameOf = async (address: string) =>
  await visitorName(
    new Request("http://localhost", { headers: { "x-forwarded-for": `${address}, 192.0.2.1` } }),
    { env: { SUPABASE_SERVICE_ROLE_KEY: "a key of the tests" } },
  );

it.each([
  ["2001:db8:0:7::1", "2001:DB8::7:abcd:0:0:2"],
  ["2001:db8::1", "2001:0db8:0000:0000:ffff:ffff:ffff:ffff"],
  ["::1", "::ffff"],
  ["fe80::1%eth0", "fe80::2"],
  ["::ffff:198.51.100.7", "::ffff:c633:6407"],
])("%s and %s are one visitor", async (one, other) => {
  expect(await nameOf(one)).toBe(await nameOf(other));
});

it.each([
  ["2001:db8:0:7::1", "2001:db8:0:8::1"],
  ["2001:db8::1", "2001:db8:1::1"],
  ["::ffff:198.51.100.7", "::ffff:198.51.100.8"],
  ["198.51.100.7", "198.51.100.8"],
  ["no:address", "no:other"],
])("%s and %s are two", async (one, other) => {
  expect(await nameOf(one)).not.toBe(await nameOf(other));
});
