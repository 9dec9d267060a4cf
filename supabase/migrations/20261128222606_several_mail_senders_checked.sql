alter table "private"."email_outbox"
  validate constraint "email_outbox_priority_check";
