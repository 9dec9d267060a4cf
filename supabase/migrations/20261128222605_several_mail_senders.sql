-- squawk-ignore require-concurrent-index-deletion
drop index "private"."email_outbox_due_idx";

alter table "private"."email_outbox"
  -- squawk-ignore prefer-bigint-over-smallint
  add column "priority" smallint not null default 2;

create or replace function private.claim_email (
  lease interval default '00:05:00'::interval
)
  returns table (
    id         uuid,
    claim      uuid,
    message_id text,
    address    text,
    first_name text,
    template   text,
    data       jsonb,
    texts      jsonb,
    user_id    uuid,
    kind       text
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    taken := null;
    -- One look at the index for each priority: sorted together, all that wait for a later attempt would be passed each time.
    for wanted in 1..3 loop
      select o.* into taken from private.email_outbox o
      where o.status = 'pending' and o.priority = wanted and o.next_attempt_at <= clock_timestamp()
      order by o.next_attempt_at, o.id limit 1 for update skip locked;
      exit when taken.id is not null;
    end loop;
    if taken.id is null then
      return;
    end if;
    refusal := private.email_refusal(taken);
    exit when refusal is null and taken.attempts < private.max_email_attempts();
    update private.email_outbox o set
      status = case when refusal is null then 'failed' else 'skipped' end,
      last_error = coalesce(refusal, o.last_error, 'no sender reported a result')
    where o.id = taken.id;
  end loop;
  update private.email_outbox o
  set attempts = o.attempts + 1, claim = gen_random_uuid(), next_attempt_at = clock_timestamp() + lease
  where o.id = taken.id returning o.* into taken;
  return query
    select taken.id, taken.claim, left(encode(sha256(convert_to(taken.cause_key, 'UTF8')), 'hex'), 32), u.email::text,
      p.first_name, taken.template,
      case taken.template
        when 'digest' then private.digest_content(taken)
        when 'payment_failed' then taken.data || private.failed_payment_facts(taken.data ->> 'subscription_id')
        else taken.data
      end,
      private.changed_email_texts(taken.template), taken.user_id, t.kind
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join private.email_templates t on t.name = taken.template
    where u.id = taken.user_id;
end
$function$;

create or replace function private.email_priority (
  template text
)
  returns smallint
  language sql
  stable
  set search_path to ''
  AS $function$
  select case t.kind when 'digest' then 3 when 'tips' then 2 when 'reminders' then 2 else 1 end
  from private.email_templates t where t.name = email_priority.template
$function$;

create or replace function private.enqueue_email (
  user_id   uuid,
  template  text,
  cause_key text,
  data      jsonb default '{}'::jsonb
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  insert into private.email_outbox as o (user_id, template, cause_key, data, priority)
  values (
    enqueue_email.user_id, enqueue_email.template, enqueue_email.cause_key, jsonb_strip_nulls(enqueue_email.data),
    -- An unknown template is refused by the foreign key.
    coalesce(private.email_priority(enqueue_email.template), 2)
  )
  on conflict on constraint email_outbox_cause_key_key do nothing;
  return found;
end
$function$;

create or replace function private.export_part_email (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'emails', coalesce((
      select jsonb_agg(to_jsonb(o) - 'claim' - 'priority' order by o.created_at, o.id) from private.email_outbox o where o.user_id = member
    ), '[]'),
    'notification_preferences', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.kind) from public.notification_preferences n where n.user_id = member
    ), '[]')
  )
$function$;

create or replace function private.release_email (
  email uuid,
  claim uuid
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update private.email_outbox o set
    attempts = greatest(o.attempts - 1, 0), next_attempt_at = clock_timestamp() + interval '1 minute', claim = null
  where o.id = email and o.claim = release_email.claim and o.status = 'pending';
  return found;
end
$function$;

create or replace function public.release_email (
  email uuid,
  claim uuid
)
  returns boolean
  language sql
  set search_path to ''
  AS $function$ select private.release_email(email, claim) $function$;

alter table "private"."email_outbox"
  add constraint "email_outbox_priority_check" check (((priority >= 1) AND (priority <= 3))) not valid;

-- squawk-ignore require-concurrent-index-creation
create index email_outbox_due_idx on private.email_outbox using btree (priority, next_attempt_at, id)
  where (status = 'pending'::text);

comment on column "private"."email_outbox"."priority" is 'Of its kind when it was queued: a lower one is sent first, however long others have waited.';

comment on function "private"."claim_email"(interval) is 'Takes the e-mail of the first priority that is due for longest and nobody else has, for the length of the lease; no row when none is due or they are paused.';

comment on function "private"."email_priority"(text) is 'Which e-mails go out first: 1 security, money and identity, 2 tips and reminders, 3 digests. Null for an unknown template.';

comment on function "private"."release_email"(uuid, uuid) is 'Gives a claimed e-mail back as if it had not been tried, for a minute later; false when the lease had ended.';

comment on function "public"."release_email"(uuid, uuid) is 'Server: an e-mail was not tried after all.';

revoke all on function "private"."email_priority"(text) from public;

grant execute on function "private"."email_priority"(text) to "postgres";

revoke all on function "private"."release_email"(uuid, uuid) from public;

grant execute on function "private"."release_email"(uuid, uuid) to "postgres", "service_role";

revoke all on function "public"."release_email"(uuid, uuid) from public;

grant execute on function "public"."release_email"(uuid, uuid) to "postgres", "service_role";

update private.email_outbox o set priority = private.email_priority(o.template) where o.status = 'pending';
