-- One table of reports in place of four.

create table "private"."reports" (
  "id"                bigint                   generated always as identity not null,
  "kind"              text                     not null,
  "subject_id"        uuid                     not null,
  "message_id"        uuid,
  "direct_message_id" uuid,
  "post_id"           uuid,
  "submission_id"     uuid,
  "comment_id"        uuid,
  "profile_id"        uuid,
  "author_id"         uuid                     not null,
  "user_id"           uuid                     not null,
  "reason"            text                     not null,
  "snapshot"          jsonb                    not null,
  "created_at"        timestamp with time zone not null default now(),
  "resolved_at"       timestamp with time zone,
  "decision"          text,
  constraint "reports_decision_check" check ((decision = ANY (ARRAY['keep'::text, 'remove'::text, 'clear'::text]))),
  constraint "reports_pkey" primary key (id),
  constraint "reports_reason_check" check (((char_length(reason) >= 1) AND (char_length(reason) <= 2000))),
  constraint "reports_resolved_check" check (((resolved_at IS NULL) = (decision IS NULL))),
  constraint "reports_subject_check"
    check
    (((num_nonnulls(message_id, direct_message_id, post_id, submission_id, comment_id, profile_id) = 1) AND (NOT
    (subject_id IS DISTINCT FROM
CASE kind
    WHEN 'message'::text THEN message_id
    WHEN 'direct_message'::text THEN direct_message_id
    WHEN 'post'::text THEN post_id
    WHEN 'submission'::text THEN submission_id
    WHEN 'comment'::text THEN comment_id
    WHEN 'profile'::text THEN profile_id
    ELSE NULL::uuid
END))))
);

alter table "private"."reports"
  enable row level security;

create type "private"."reported" as (
  "author_id" uuid,
  "snapshot"  jsonb,
  "place"     jsonb
);

alter table "private"."reports"
  add constraint "reports_author_id_fkey" foreign key (author_id) references auth.users(id) on delete cascade;

alter table "private"."reports"
  add constraint "reports_comment_id_fkey" foreign key (comment_id) references public.learning_submission_comments(id)
    on delete cascade;

alter table "private"."reports"
  add constraint "reports_direct_message_id_fkey" foreign key (direct_message_id) references public.direct_messages(id)
    on delete cascade;

alter table "private"."reports"
  add constraint "reports_message_id_fkey" foreign key (message_id) references public.chat_messages(id)
    on delete cascade;

alter table "private"."reports"
  add constraint "reports_post_id_fkey" foreign key (post_id) references private.collaboration_posts(id)
    on delete cascade;

alter table "private"."reports"
  add constraint "reports_profile_id_fkey" foreign key (profile_id) references public.profiles(id) on delete cascade;

alter table "private"."reports"
  add constraint "reports_submission_id_fkey" foreign key (submission_id) references public.learning_submissions(id)
    on delete cascade;

alter table "private"."reports"
  add constraint "reports_user_id_fkey" foreign key (user_id) references auth.users(id) on delete cascade;

create index reports_author_id_idx on private.reports using btree (author_id);

create index reports_comment_id_idx on private.reports using btree (comment_id);

create index reports_direct_message_id_idx on private.reports using btree (direct_message_id);

create index reports_message_id_idx on private.reports using btree (message_id);

create unique index reports_open_key on private.reports using btree (kind, subject_id, user_id)
  where (resolved_at is null);

create index reports_post_id_idx on private.reports using btree (post_id);

create index reports_profile_id_idx on private.reports using btree (profile_id);

create index reports_submission_id_idx on private.reports using btree (submission_id);

create index reports_user_id_idx on private.reports using btree (user_id);

create index reports_waiting_idx on private.reports using btree (created_at)
  where (resolved_at is null);

comment on column "private"."reports"."author_id" is 'Whose it is.';

comment on column "private"."reports"."snapshot" is 'What was reported as it was then, in case it is edited or deleted; emptied with the decision where report_kinds says so.';

comment on column "private"."reports"."subject_id" is 'What it is about, also in the column of its kind, which refers to it.';

comment on column "private"."reports"."user_id" is 'Who reported it.';

comment on table "private"."reports" is 'Reports; by one member of one thing only one is open. They go with what they are about and with either account.';

comment on type "private"."reported" is 'Whose something is, what a report keeps of it, and what a link to it needs.';

grant delete, insert, maintain, references, select, trigger, truncate, update on table "private"."reports" to "postgres";

revoke all on type "private"."reported" from public;

grant usage on type "private"."reported" to "postgres";
