import { expect, it } from "vitest";
import { checkedLater } from "./checked-later.ts";

it("looks at the rows of a table that was there in a second migration", () => {
  expect(
    checkedLater([
      'alter table "public"."profiles"\n  add column "pronouns" text',
      'alter table "public"."profiles"\n  add constraint "profiles_pronouns_check" check (length(pronouns) <= 40)',
      'alter table "public"."notes"\n  add constraint "notes_author_fkey" foreign key (author) references auth.users(id)',
      'alter table "public"."notes"\n  add constraint "notes_key" unique (author)',
    ]),
  ).toEqual({
    first: [
      'alter table "public"."profiles"\n  add column "pronouns" text',
      'alter table "public"."profiles"\n  add constraint "profiles_pronouns_check" check (length(pronouns) <= 40) not valid',
      'alter table "public"."notes"\n  add constraint "notes_author_fkey" foreign key (author) references auth.users(id) not valid',
      'alter table "public"."notes"\n  add constraint "notes_key" unique (author)',
    ],
    second: [
      'alter table "public"."profiles"\n  validate constraint "profiles_pronouns_check"',
      'alter table "public"."notes"\n  validate constraint "notes_author_fkey"',
    ],
  });
});

it("leaves a table that is new as it is", () => {
  const statements = [
    'create table "public"."notes" (\n  "author" uuid\n)',
    'alter table "public"."notes"\n  add constraint "notes_check" check (author is not null)',
  ];
  expect(checkedLater(statements)).toEqual({ first: statements, second: [] });
});

it("looks later, too, at a rule so long that its check stands on a line of its own", () => {
  const check = 'alter table "public"."notes"\n  add constraint "notes_check"\n    check\n    (a)';
  expect(checkedLater([check])).toEqual({
    first: [`${check} not valid`],
    second: ['alter table "public"."notes"\n  validate constraint "notes_check"'],
  });
});
