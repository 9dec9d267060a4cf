/** What the person sees of saving. */
export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "unsaved" }
  | { readonly kind: "saving" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** Another tab or device saved `newest` meanwhile. Nothing is saved until the person decides. */
  | { readonly kind: "conflict"; readonly newest: number };

export interface AutosaveOptions<Content> {
  /** The version the content was made from. */
  readonly version: number;
  /** Saves; resolves to the number of the new version. */
  readonly save: (content: Content, version: number) => Promise<number>;
  /** The newest version, when this error says that there is one; else null. */
  readonly newestIn: (error: unknown) => number | null;
  /** Milliseconds without a change before it is saved: every save is a version. */
  readonly idleMs: number;
  /** Milliseconds after which a change is saved although the person types on: a closed browser loses no more than that. */
  readonly longestMs: number;
  readonly onState: (state: SaveState) => void;
}

/** Saves content once nothing was typed for a while, one save at a time, each made from the version before it. */
export class Autosave<Content> {
  readonly #options: AutosaveOptions<Content>;
  #version: number;
  #state: SaveState = { kind: "saved" };
  #pending: { readonly content: Content } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the oldest change that is not saved; null when there is none. */
  #changedAt: number | null = null;
  #running: Promise<boolean> | null = null;

  constructor(options: AutosaveOptions<Content>) {
    this.#options = options;
    this.#version = options.version;
  }

  /** The version the content is made from. */
  get version(): number {
    return this.#version;
  }

  /** True while something would be lost with the page. */
  get isDirty(): boolean {
    return this.#pending !== null || this.#running !== null;
  }

  change(content: Content): void {
    this.#pending = { content };
    if (this.#state.kind === "conflict") return;
    this.#set({ kind: "unsaved" });
    this.#restart();
  }

  /** Saves at once; true when everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#running !== null) await this.#running;
    if (this.#state.kind === "conflict") return false;
    if (this.#pending === null) return true;
    this.#running = this.#saveOnce(this.#pending.content);
    const isSaved = await this.#running;
    this.#running = null;
    return isSaved && this.#pending !== null ? await this.flush() : isSaved;
  }

  /** Keeps one's own content after a conflict, as the version after the newest. */
  async keepMine(): Promise<boolean> {
    if (this.#state.kind !== "conflict") return false;
    this.#version = this.#state.newest;
    this.#set({ kind: "unsaved" });
    return await this.flush();
  }

  /** Forgets what is not saved and stops. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#pending = null;
  }

  #restart(): void {
    clearTimeout(this.#timer);
    const { idleMs, longestMs } = this.#options;
    this.#changedAt ??= Date.now();
    const left = this.#changedAt + longestMs - Date.now();
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(idleMs, left)));
  }

  async #saveOnce(content: Content): Promise<boolean> {
    this.#pending = null;
    this.#changedAt = null;
    this.#set({ kind: "saving" });
    try {
      this.#version = await this.#options.save(content, this.#version);
      this.#set({ kind: this.#pending === null ? "saved" : "unsaved" });
      return true;
    } catch (error) {
      // What was typed meanwhile is newer than what failed.
      this.#pending ??= { content };
      const newest = this.#options.newestIn(error);
      this.#set(newest === null ? { kind: "failed", error } : { kind: "conflict", newest });
      return false;
    }
  }

  #set(state: SaveState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
