create trigger reports__notify
  after update of resolved_at on private.reports
  for each row
  when (((old.resolved_at IS NULL) AND (new.resolved_at IS NOT NULL)))
  execute function private.tg_reports__notify();

comment on function "private"."export_part_chat"(uuid) is 'Messages, likes and read positions of one account.';

comment on function "private"."export_part_decisions"(uuid) is 'Administrative acts about one account, without the other persons in them, and the rooms it is in.';

comment on function "private"."export_part_direct"(uuid) is 'Direct messages, read positions, posts and the choice of one account, without what others wrote.';

comment on function "private"."export_part_people"(uuid) is 'Choices and blocks of one account, without the other persons.';

comment on function "private"."export_part_reports"(uuid) is 'Reports by one account and about what it wrote, without the other persons and what they wrote.';

comment on function "private"."lock_reported_comment"(uuid) is 'Locks a comment.';

comment on function "private"."lock_reported_direct_message"(uuid) is 'Locks a direct message.';

comment on function "private"."lock_reported_message"(uuid) is 'Locks a message.';

comment on function "private"."lock_reported_post"(uuid) is 'Locks a post.';

comment on function "private"."lock_reported_profile"(uuid) is 'Locks a profile.';

comment on function "private"."lock_reported_submission"(uuid) is 'Locks a submission with what is deleted with it.';

comment on function "private"."queue_counts"() is 'Each queue of the administrators: how many wait, and since when the oldest; of the reports, how many of each kind.';

comment on function "private"."remove_reported_comment"(uuid) is 'Deletes a comment, and its reports with it.';

comment on function "private"."remove_reported_direct_message"(uuid) is 'Deletes the text of a direct message.';

comment on function "private"."remove_reported_message"(uuid) is 'Deletes a message for all.';

comment on function "private"."remove_reported_post"(uuid) is 'Deletes a post, and its reports with it.';

comment on function "private"."remove_reported_profile"(uuid) is 'Clears what a profile says beyond name and occupation.';

comment on function "private"."remove_reported_submission"(uuid) is 'Deletes a submission, and its reports with it.';

comment on function "private"."report"(text, uuid, text) is 'Reports something to the administrators, once while it is open: repeating it adds what it does not say yet, up to 2000 characters.';

comment on function "private"."report_counts"() is 'How many things of each kind wait; what is reported several times waits once.';

comment on function "private"."report_kinds"() is 'The kinds of reports: what the decision against one is called, how the audit log calls it, and whether its copy goes with the decision.';

comment on function "private"."report_queue"(text) is 'What is reported and waits for a decision, oldest report first, as it was reported.';

comment on function "private"."reportable_comment"(uuid, uuid) is 'A comment, which every member can see; raises FF333 or FF700.';

comment on function "private"."reportable_direct_message"(uuid, uuid) is 'A message of the caller''s conversations with up to five before it; raises FF316 or FF700.';

comment on function "private"."reportable_message"(uuid, uuid) is 'A message the caller can see; raises FF316.';

comment on function "private"."reportable_post"(uuid, uuid) is 'An open post of another member; raises FF700, FF833 or FF834.';

comment on function "private"."reportable_profile"(uuid, uuid) is 'The profile of another member; raises FF700, FF702 or FF703.';

comment on function "private"."reportable_submission"(uuid, uuid) is 'A submission, which every member can see; raises FF332 or FF700.';

comment on function "private"."reported"(text, uuid) is 'What a report of something would hold now.';

comment on function "private"."reported_comment"(uuid) is 'A comment and the submission that it stands under.';

comment on function "private"."reported_direct_message"(uuid) is 'A direct message without its conversation.';

comment on function "private"."reported_message"(uuid) is 'A message with its picture.';

comment on function "private"."reported_post"(uuid) is 'A post, its title above its text.';

comment on function "private"."reported_profile"(uuid) is 'Every text that a member writes on a profile.';

comment on function "private"."reported_submission"(uuid) is 'A submission.';

comment on function "private"."require_report_kind"(text) is 'The kind of a report, if there is such a kind; raises FF343 otherwise.';

comment on function "private"."resolve_report"(bigint, text) is 'Keeps or takes away what was reported, and closes all its reports; audited. FF319, FF320 or FF513.';

comment on function "public"."report"(text, uuid, text) is 'Reports something of another member to the administrators. Repeating it while it is open adds what it did not say yet.';

comment on function "public"."report_queue"(text) is 'Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.';

comment on function "public"."resolve_report"(bigint, text) is 'Administrators: keep what was reported, or remove (a profile: clear) it.';

revoke all on function "private"."export_part_reports"(uuid) from public;

grant execute on function "private"."export_part_reports"(uuid) to "postgres";

revoke all on function "private"."lock_reported_comment"(uuid) from public;

grant execute on function "private"."lock_reported_comment"(uuid) to "postgres";

revoke all on function "private"."lock_reported_direct_message"(uuid) from public;

grant execute on function "private"."lock_reported_direct_message"(uuid) to "postgres";

revoke all on function "private"."lock_reported_message"(uuid) from public;

grant execute on function "private"."lock_reported_message"(uuid) to "postgres";

revoke all on function "private"."lock_reported_post"(uuid) from public;

grant execute on function "private"."lock_reported_post"(uuid) to "postgres";

revoke all on function "private"."lock_reported_profile"(uuid) from public;

grant execute on function "private"."lock_reported_profile"(uuid) to "postgres";

revoke all on function "private"."lock_reported_submission"(uuid) from public;

grant execute on function "private"."lock_reported_submission"(uuid) to "postgres";

revoke all on function "private"."remove_reported_comment"(uuid) from public;

grant execute on function "private"."remove_reported_comment"(uuid) to "postgres";

revoke all on function "private"."remove_reported_direct_message"(uuid) from public;

grant execute on function "private"."remove_reported_direct_message"(uuid) to "postgres";

revoke all on function "private"."remove_reported_message"(uuid) from public;

grant execute on function "private"."remove_reported_message"(uuid) to "postgres";

revoke all on function "private"."remove_reported_post"(uuid) from public;

grant execute on function "private"."remove_reported_post"(uuid) to "postgres";

revoke all on function "private"."remove_reported_profile"(uuid) from public;

grant execute on function "private"."remove_reported_profile"(uuid) to "postgres";

revoke all on function "private"."remove_reported_submission"(uuid) from public;

grant execute on function "private"."remove_reported_submission"(uuid) to "postgres";

revoke all on function "private"."report"(text, uuid, text) from public;

grant execute on function "private"."report"(text, uuid, text) to "authenticated", "postgres";

revoke all on function "private"."report_counts"() from public;

grant execute on function "private"."report_counts"() to "postgres";

revoke all on function "private"."report_kinds"() from public;

grant execute on function "private"."report_kinds"() to "postgres";

revoke all on function "private"."report_queue"(text) from public;

grant execute on function "private"."report_queue"(text) to "authenticated", "postgres";

revoke all on function "private"."reportable_comment"(uuid, uuid) from public;

grant execute on function "private"."reportable_comment"(uuid, uuid) to "postgres";

revoke all on function "private"."reportable_direct_message"(uuid, uuid) from public;

grant execute on function "private"."reportable_direct_message"(uuid, uuid) to "postgres";

revoke all on function "private"."reportable_message"(uuid, uuid) from public;

grant execute on function "private"."reportable_message"(uuid, uuid) to "postgres";

revoke all on function "private"."reportable_post"(uuid, uuid) from public;

grant execute on function "private"."reportable_post"(uuid, uuid) to "postgres";

revoke all on function "private"."reportable_profile"(uuid, uuid) from public;

grant execute on function "private"."reportable_profile"(uuid, uuid) to "postgres";

revoke all on function "private"."reportable_submission"(uuid, uuid) from public;

grant execute on function "private"."reportable_submission"(uuid, uuid) to "postgres";

revoke all on function "private"."reported"(text, uuid) from public;

grant execute on function "private"."reported"(text, uuid) to "postgres";

revoke all on function "private"."reported_comment"(uuid) from public;

grant execute on function "private"."reported_comment"(uuid) to "postgres";

revoke all on function "private"."reported_direct_message"(uuid) from public;

grant execute on function "private"."reported_direct_message"(uuid) to "postgres";

revoke all on function "private"."reported_message"(uuid) from public;

grant execute on function "private"."reported_message"(uuid) to "postgres";

revoke all on function "private"."reported_post"(uuid) from public;

grant execute on function "private"."reported_post"(uuid) to "postgres";

revoke all on function "private"."reported_profile"(uuid) from public;

grant execute on function "private"."reported_profile"(uuid) to "postgres";

revoke all on function "private"."reported_submission"(uuid) from public;

grant execute on function "private"."reported_submission"(uuid) to "postgres";

revoke all on function "private"."require_report_kind"(text) from public;

grant execute on function "private"."require_report_kind"(text) to "postgres";

revoke all on function "private"."resolve_report"(bigint, text) from public;

grant execute on function "private"."resolve_report"(bigint, text) to "authenticated", "postgres";

revoke all on function "private"."tg_reports__notify"() from public;

grant execute on function "private"."tg_reports__notify"() to "postgres";

revoke all on function "public"."report"(text, uuid, text) from public;

grant execute on function "public"."report"(text, uuid, text) to "authenticated", "postgres";

revoke all on function "public"."report_queue"(text) from public;

grant execute on function "public"."report_queue"(text) to "authenticated", "postgres";

revoke all on function "public"."resolve_report"(bigint, text) from public;

grant execute on function "public"."resolve_report"(bigint, text) to "authenticated", "postgres";
