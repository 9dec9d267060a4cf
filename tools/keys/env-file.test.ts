import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeEnvFile, readEnvFile, withChanges } from "./env-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "env-file-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("changes values where they stand, adds what is missing, and leaves everything else", () => {
  const text = "# A=comment\nA=1\n\nexport B = 2\nAB=3\n#C=4\n";
  expect(withChanges(text, { A: "x", B: "y", C: "z" })).toBe(
    "# A=comment\nA=x\n\nB=y\nAB=3\n#C=4\nC=z\n",
  );
});

it("removes a value, and every further line of a name", () => {
  expect(withChanges("A=1\nB=2\nA=3", { A: undefined })).toBe("B=2\n");
  expect(withChanges("A=1\nB=2\nA=3\n", { A: "4" })).toBe("A=4\nB=2\n");
});

it("begins an empty text", () => {
  expect(withChanges("", { A: "1" })).toBe("A=1\n");
});

it("keeps the mode of the file, and reads an empty value as none", async () => {
  const path = join(folder, ".env");
  await writeFile(path, "A=1\nB=\n");
  await chmod(path, 0o600);
  await changeEnvFile(path, { A: "2" });
  expect(await readFile(path, "utf8")).toBe("A=2\nB=\n");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readEnvFile(path)).toEqual({ A: "2" });
  await expect(changeEnvFile(join(folder, "none"), {})).rejects.toThrow(/cannot be read/);
});
