-- The four tables and their functions.

alter table "private"."member_reports"
  drop constraint "member_reports_member_id_fkey";

alter table "private"."member_reports"
  drop constraint "member_reports_user_id_fkey";

alter table "private"."message_reports"
  drop constraint "message_reports_message_id_fkey";

alter table "private"."message_reports"
  drop constraint "message_reports_user_id_fkey";

alter table "private"."submission_reports"
  drop constraint "submission_reports_comment_id_fkey";

alter table "private"."submission_reports"
  drop constraint "submission_reports_submission_id_fkey";

alter table "private"."submission_reports"
  drop constraint "submission_reports_user_id_fkey";

alter table "private"."text_reports"
  drop constraint "text_reports_message_id_fkey";

alter table "private"."text_reports"
  drop constraint "text_reports_post_id_fkey";

alter table "private"."text_reports"
  drop constraint "text_reports_user_id_fkey";

drop function "private"."export_part_submission_reports"(uuid);

drop function "private"."extend_report"(regclass, bigint, uuid, text);

drop function "private"."keep_submission_report"(uuid, uuid, uuid, uuid, text, text, text);

drop function "private"."member_report_queue"();

drop function "private"."message_report_queue"();

drop function "private"."report_collaboration_post"(uuid, text);

drop function "private"."report_comment"(uuid, text);

drop function "private"."report_direct_message"(uuid, text);

drop function "private"."report_member"(uuid, text);

drop function "private"."report_message"(uuid, text);

drop function "private"."report_submission"(uuid, text);

drop function "private"."resolve_member_report"(bigint, text);

drop function "private"."resolve_message_report"(bigint, text);

drop function "private"."resolve_submission_report"(bigint, text);

drop function "private"."resolve_text_report"(bigint, text);

drop function "private"."submission_report_queue"();

drop function "private"."tell_report_outcome"(uuid, bigint, uuid, text, uuid, text);

drop function "private"."text_report_queue"();

drop function "public"."member_report_queue"();

drop function "public"."message_report_queue"();

drop function "public"."report_collaboration_post"(uuid, text);

drop function "public"."report_comment"(uuid, text);

drop function "public"."report_direct_message"(uuid, text);

drop function "public"."report_member"(uuid, text);

drop function "public"."report_message"(uuid, text);

drop function "public"."report_submission"(uuid, text);

drop function "public"."resolve_member_report"(bigint, text);

drop function "public"."resolve_message_report"(bigint, text);

drop function "public"."resolve_submission_report"(bigint, text);

drop function "public"."resolve_text_report"(bigint, text);

drop function "public"."submission_report_queue"();

drop function "public"."text_report_queue"();

-- squawk-ignore ban-drop-table
drop table "private"."member_reports";

drop function "private"."tg_member_reports__notify"();

-- squawk-ignore ban-drop-table
drop table "private"."message_reports";

drop function "private"."tg_message_reports__notify"();

-- squawk-ignore ban-drop-table
drop table "private"."submission_reports";

drop function "private"."tg_submission_reports__notify"();

-- squawk-ignore ban-drop-table
drop table "private"."text_reports";

drop function "private"."tg_text_reports__notify"();
