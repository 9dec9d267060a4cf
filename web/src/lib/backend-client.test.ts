import { describe, expect, it } from "vitest";
import { createStandInClient, mockClientMessage } from "./backend-client.ts";
import { isMockClientError, messageOf, toAppError } from "./errors.ts";

describe("the stand-in client", () => {
  const client = createStandInClient();

  it("has no session and says why it cannot make one", async () => {
    const session = await client.auth.getSession();
    expect(session.data.session).toBeNull();
    for (const { error } of [
      await client.auth.signUp({ email: "a@b.co", password: "x" }),
      await client.auth.signInWithPassword({ email: "a@b.co", password: "x" }),
      await client.auth.resetPasswordForEmail("a@b.co"),
    ]) {
      expect(toAppError(error)).toMatchObject({ code: "MOCK_CLIENT", message: mockClientMessage });
      expect(isMockClientError(error)).toBe(true);
    }
  });

  it("answers row queries in the shape of the database's errors", async () => {
    const { data, error } = await client.from("profiles").select("*").eq("id", "x").maybeSingle();
    expect(data).toBeNull();
    expect(error).toMatchObject({ code: "MOCK_CLIENT", message: mockClientMessage });
    const inserted = await client.from("profiles").insert({ id: "x" });
    expect(isMockClientError(inserted.error)).toBe(true);
  });

  it("fails functions and files as the library does", async () => {
    expect((await client.functions.invoke("create-stripe-customer")).error).toBeTruthy();
    const upload = await client.storage.from("bucket").upload("name", new Blob(["x"]));
    expect(upload.error?.message).toBe(mockClientMessage);
  });

  it("subscribes quietly", () => {
    const channel = client.channel("room").subscribe();
    expect(channel.state).toBe("joining");
    void client.removeAllChannels();
  });
});

describe("the message of an error", () => {
  it.each([
    [{ code: "FF841", message: "This address is taken." }, "This address is taken."],
    [{ code: "server_busy", message: "Try again in 2 seconds." }, "Try again in 2 seconds."],
    [{ code: "MOCK_CLIENT", message: mockClientMessage }, mockClientMessage],
    [{ code: "FF841", message: "" }, "fallback"],
    [{ code: "23505", message: 'duplicate key value violates "x_key"' }, "fallback"],
    [{ code: "", message: "TypeError: Failed to fetch" }, "fallback"],
    [new TypeError("Failed to fetch"), "fallback"],
    ["boom", "fallback"],
    [null, "fallback"],
    [undefined, "fallback"],
    [42, "fallback"],
  ])("%o reads %j", (error, message) => {
    expect(messageOf(error, "fallback")).toBe(message);
  });
});
