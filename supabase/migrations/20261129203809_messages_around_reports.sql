create or replace function private.around_message (
  message uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'before', coalesce(jsonb_agg(e.line order by e.created_at, e.id desc) filter (where e.is_before), '[]'),
    'after', coalesce(jsonb_agg(e.line order by e.created_at, e.id desc) filter (where not e.is_before), '[]')
  )
  from (
    select n.id, n.created_at, n.is_before, jsonb_build_object(
      'id', n.id, 'author', private.describe_member(n.user_id) ->> 'name', 'content', left(n.content, 600),
      'is_cut', char_length(n.content) > 600, 'is_deleted', n.deleted_at is not null, 'created_at', n.created_at
    ) as line
    from public.chat_messages asked
    cross join lateral (
      (
        select m.*, true as is_before from public.chat_messages m
        where m.chat_room_id = asked.chat_room_id and m.created_at <= asked.created_at
          and (m.created_at < asked.created_at or m.id > asked.id)
        order by m.created_at desc, m.id limit 5
      )
      union all
      (
        select m.*, false from public.chat_messages m
        where m.chat_room_id = asked.chat_room_id and m.created_at >= asked.created_at
          and (m.created_at > asked.created_at or m.id < asked.id)
        order by m.created_at, m.id desc limit 3
      )
    ) n
    where asked.id = message
  ) e
$function$;

create or replace function private.report_queue (
  kind text default null::text
)
  returns SETOF jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'kind', o.kind, 'subject_id', o.subject_id, 'author', private.describe_member(o.author_id),
      'snapshot', case when o.snapshot ? 'context' then o.snapshot || jsonb_build_object('context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.snapshot -> 'context') e
      )) else o.snapshot end,
      -- The words are those of the report, and not what was edited since.
      'place', n.place - 'words',
      'around', case when o.kind = 'message' then private.around_message(o.subject_id) end,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$function$;

comment on function "private"."around_message"(uuid) is 'Up to five messages before a message of a room and up to three after it, as they are now, deleted ones without their text.';

revoke all on function "private"."around_message"(uuid) from public;

grant execute on function "private"."around_message"(uuid) to "postgres";
