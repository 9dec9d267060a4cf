comment on column "private"."landing_texts"."headline" is 'Null: as the product comes.';

comment on column "private"."landing_texts"."host_about" is 'What is said of the host. Plain text, a blank line between paragraphs.';

comment on column "private"."landing_texts"."host_id" is 'The administrator who is introduced, with the name and picture of the profile. Null: nobody.';

comment on column "private"."landing_texts"."lead" is 'The paragraph under the headline. Null: as the product comes.';

comment on function "private"."export_part_landing"(uuid) is 'Submissions that one account lets visitors read.';

comment on function "private"."is_banned"(uuid) is 'Whether the account is suspended or deleted.';

comment on function "private"."landing_host"() is 'Whom the landing page introduces; null while nobody is named, or when that account is no administrator any more.';

comment on function "private"."landing_mentors"() is 'Up to six mentors who sell a course to visitors.';

comment on function "private"."landing_outcomes"() is 'The newest three submissions that are featured and that their authors let visitors read.';

comment on function "private"."landing_page"() is 'What the landing page shows of the database. The server renders it; no client asks.';

comment on function "private"."landing_settings"() is 'The landing page for administrators with a second factor.';

comment on function "private"."optional_text"(text) is 'The text without blanks around it; null when nothing can be seen of it.';

comment on function "private"."publish_landing_text"(text, text, uuid, text) is 'Shows other words on the landing page; the number of the version. Raises FF280 or FF281. Audited.';

comment on function "public"."landing_settings"() is 'Administrators: what the landing page says and shows, and who can be its host.';

comment on function "public"."publish_landing_text"(text, text, uuid, text) is 'Administrators: publish other words for the landing page. An empty one is as the product comes.';

comment on table "private"."landing_texts" is 'Every version of the landing page''s words that an owner changed; the newest is shown. Rows are only ever added.';

comment on table "public"."submission_consents" is 'Submissions that their authors let visitors read, with first name, occupation and picture. Taken back by deleting the row.';

revoke all on function "private"."export_part_landing"(uuid) from public;

grant execute on function "private"."export_part_landing"(uuid) to "postgres";

revoke all on function "private"."is_banned"(uuid) from public;

grant execute on function "private"."is_banned"(uuid) to "postgres";

revoke all on function "private"."landing_host"() from public;

grant execute on function "private"."landing_host"() to "postgres";

revoke all on function "private"."landing_mentors"() from public;

grant execute on function "private"."landing_mentors"() to "postgres";

revoke all on function "private"."landing_outcomes"() from public;

grant execute on function "private"."landing_outcomes"() to "postgres";

revoke all on function "private"."landing_page"() from public;

grant execute on function "private"."landing_page"() to "postgres";

revoke all on function "private"."landing_settings"() from public;

grant execute on function "private"."landing_settings"() to "authenticated", "postgres";

revoke all on function "private"."optional_text"(text) from public;

grant execute on function "private"."optional_text"(text) to "postgres";

revoke all on function "private"."publish_landing_text"(text, text, uuid, text) from public;

grant execute on function "private"."publish_landing_text"(text, text, uuid, text) to "authenticated", "postgres";

revoke all on function "public"."landing_settings"() from public;

grant execute on function "public"."landing_settings"() to "authenticated", "postgres";

revoke all on function "public"."publish_landing_text"(text, text, uuid, text) from public;

grant execute on function "public"."publish_landing_text"(text, text, uuid, text) to "authenticated", "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."landing_texts"
  to "postgres";

grant select ("agreed_at") on table "public"."submission_consents" to "authenticated";

grant insert ("submission_id"), select ("submission_id") on table "public"."submission_consents" to "authenticated";

grant insert ("user_id"), select ("user_id") on table "public"."submission_consents" to "authenticated";

grant delete on table "public"."submission_consents" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."submission_consents"
  to "postgres";

grant delete, insert, select, update on table "public"."submission_consents" to "service_role";
