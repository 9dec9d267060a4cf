import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, projectRoot, spawnScript, type Spawned } from "./spawn-product.ts";

/** What stands in the place of the folders, addresses and values of the document, which are replaced in this order. */
type Places = readonly (readonly [documented: string, own: string])[];

/** An install in a folder of its own, over which a test types the lines of docs/deploy.md. */
export class TypedInstall {
  readonly folder: string;
  readonly port: number;
  readonly url: string;
  readonly #places: Places;
  #product: Spawned | undefined;

  private constructor(folder: string, port: number, places: Places) {
    this.folder = folder;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#places = places;
  }

  /**
   * Writes `.env` with new keys into a folder that is there.
   * @param places what stands in the place of the document's folders and addresses, in this order
   * @param port a free one unless given
   */
  static async make(
    folder: string,
    places: Readonly<Record<string, string>> = {},
    port?: number,
  ): Promise<TypedInstall> {
    const install = new TypedInstall(folder, port ?? (await freePort()), Object.entries(places));
    await install.run("keys.ts", ".env");
    await install.set(`PORT=${install.port}`, "DATA_DIR=./data", "DEMO=0");
    return install;
  }

  /** Another host, in a folder that is there, with the same `.env` but for its port. */
  async copyTo(folder: string): Promise<TypedInstall> {
    const other = new TypedInstall(folder, await freePort(), this.#places);
    const text = await readFile(this.#env, "utf8");
    await writeFile(other.#env, text.replace(/^PORT=.*$/m, `PORT=${other.port}`), { mode: 0o600 });
    return other;
  }

  /** Of a data folder that has a data key of its own, as an install has one whose `.env` is older than that key. */
  async keepDataKey(): Promise<void> {
    await this.unset("DATA_KEY");
  }

  /** Appends lines to `.env`. */
  async set(...lines: string[]): Promise<void> {
    const own = lines.map((line) => `${this.own(line)}\n`).join("");
    await writeFile(this.#env, own, { flag: "a" });
  }

  /** Takes settings out of `.env`. */
  async unset(...names: string[]): Promise<void> {
    const text = await readFile(this.#env, "utf8");
    const lines = text.split("\n").filter((line) => !names.includes(line.split("=")[0] ?? ""));
    await writeFile(this.#env, lines.join("\n"));
  }

  /** Puts settings into `.env`, in the place of those that have their names. */
  async replace(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.unset(...Object.keys(settings));
    await this.set(...Object.entries(settings).map(([name, value]) => `${name}=${value}`));
  }

  async setting(name: string): Promise<string> {
    const text = await readFile(this.#env, "utf8");
    return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  }

  get #env(): string {
    return join(this.folder, ".env");
  }

  /** A documented text with the install's own folders and addresses. */
  own(text: string): string {
    return this.#places.reduce((rest, [documented, own]) => rest.replaceAll(documented, own), text);
  }

  /** @throws {Error} with what the tool said when it does not end well */
  async run(script: string, ...args: string[]): Promise<string> {
    const spawned = spawnScript([join(projectRoot, "tools", script), ...args], {}, this.folder);
    if ((await spawned.ended) !== 0) throw new Error(spawned.output());
    return spawned.output();
  }

  /** What the doctor says, with or without a problem. */
  async doctor(): Promise<string> {
    const spawned = spawnScript([join(projectRoot, "tools", "doctor.ts")], {}, this.folder);
    await spawned.ended;
    return spawned.output();
  }

  /** @throws {Error} with what the product said when it refuses to start */
  async start(): Promise<void> {
    const product = spawnScript([join(projectRoot, "tools", "serve.ts")], {}, this.folder);
    await product.says("Fourfold is ready");
    this.#product = product;
  }

  /** As systemd does, also when it has ended already. */
  async stop(): Promise<void> {
    const product = this.#product;
    if (product === undefined) return;
    this.#product = undefined;
    product.child.kill("SIGTERM");
    if ((await product.ended) !== 0) throw new Error(product.output());
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /**
   * Does one documented line as it stands, without the account and the service of the document.
   * @throws {Error} when it is no line that is known
   */
  async type(documented: string): Promise<string> {
    const line = this.own(documented);
    const [, made] = /^sudo install -d -o fourfold -g fourfold -m 0700 (\S+)$/.exec(line) ?? [];
    const [, setting] = /^echo (\S+) \| sudo -u fourfold tee -a \.env$/.exec(line) ?? [];
    const [, command, args = ""] = /^sudo -u fourfold npm run (\w+) -- (.+)$/.exec(line) ?? [];
    const [, verb] = /^sudo systemctl (start|stop|restart) fourfold$/.exec(line) ?? [];
    if (made !== undefined) await mkdir(made, { mode: 0o700 });
    else if (setting !== undefined) await this.set(setting);
    else if (command !== undefined) return await this.run(`${command}.ts`, ...args.split(" "));
    else if (verb === "start") await this.start();
    else if (verb === "stop") await this.stop();
    else if (verb === "restart") await this.restart();
    else throw new Error(`no such line: ${documented}`);
    return "";
  }

  /** Does a documented block, line by line. */
  async typeAll(block: string): Promise<string> {
    let output = "";
    for (const line of block.split("\n")) output += await this.type(line);
    return output;
  }
}
