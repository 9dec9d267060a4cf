import { expect, it } from "vitest";
import { names, noNames } from "./testing/name-cases.ts";
import { isVisibleName } from "./visible-name.ts";

it.each(names)("%j is a name", (name) => expect(isVisibleName(name)).toBe(true));
it.each(noNames)("%j is none", (name) => expect(isVisibleName(name)).toBe(false));
