import { describe, expect, it } from "vitest";
import { raisedErrors, writeErrorCodes } from "./error-codes.ts";

const rooms = `create function private.require_room(room text) returns void as $$
begin
  if room is null then
    perform private.fail('FF310', 'There is no such room.');
  end if;
  perform private.fail('FF311', case
    when true then 'It isn''t open to you, (yet).' else 'Your membership is over.' end, needed::text);
end $$;
create function private.pin(message bigint) returns void as $$
  select private.fail('FF310', format('There is no room %s.', lower('X')));
  exception when sqlstate 'FF300' then perform private.refuse_session('FF003', 'Your session has ended.');
$$;`;

const files = [{ path: "chat/rooms.sql", text: rooms }];

describe("the errors of the declared schema", () => {
  it("are read with their sentences, their function and their details", () => {
    const area = "chat";
    const room = { area, raisedIn: "require_room", details: null };
    const pin = { area, raisedIn: "pin", details: null };
    expect(raisedErrors(files)).toEqual([
      { ...room, code: "FF310", message: "There is no such room." },
      { ...room, code: "FF311", message: "It isn't open to you, (yet).", details: "needed::text" },
      { ...room, code: "FF311", message: "Your membership is over.", details: "needed::text" },
      { ...pin, code: "FF310", message: "There is no room …." },
      { ...pin, code: "FF003", message: "Your session has ended." },
    ]);
  });

  it("are refused without a sentence where they are raised", () => {
    const text = "create function private.f() as $$ select private.fail('FF999', sqlerrm) $$;";
    expect(() => raisedErrors([{ path: "a/b.sql", text }])).toThrow("a/b.sql: FF999");
  });
});

describe("the document of error codes", () => {
  const marks = [
    "<!-- Written by npm run gen from the calls of private.fail in supabase/schemas. -->",
    "<!-- Written until here. -->",
  ] as const;
  const document = `before\n${marks[0]}\nold\n${marks[1]}\nafter\n`;

  it("has one row for each code, in order, and keeps what stands around them", () => {
    const written = writeErrorCodes(document, files);
    expect(written.split("\n").filter((line) => line.startsWith("| FF"))).toEqual([
      "| FF003 | Your session has ended. | chat: `pin` |  |",
      "| FF310 | There is no such room. / There is no room …. | chat: `pin`, `require_room` |  |",
      "| FF311 | It isn't open to you, (yet). / Your membership is over. | chat: `require_room` | `needed` |",
    ]);
    expect(written).not.toContain("old");
    expect([written.startsWith("before\n"), written.endsWith("\nafter\n")]).toEqual([true, true]);
    expect(writeErrorCodes(written, files)).toBe(written);
  });

  it("is not written over when it has lost its marks", () => {
    expect(() => writeErrorCodes("before\nafter\n", files)).toThrow("has lost");
  });
});
