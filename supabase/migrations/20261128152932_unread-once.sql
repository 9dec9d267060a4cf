create or replace function private.my_notifications (
  before    timestamp with time zone default null::timestamp with time zone,
  page_size integer                  default 20
)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
      from private.visible_notifications(caller) v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread and g.kind <> 'direct_message'),
      -- A transaction under way now may commit rows with a time before now; a member's statement lasts at most 15 seconds.
      'as_of', now() - interval '15 seconds',
      'items', coalesce((
        select jsonb_agg(g.place || jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread,
          'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0)
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$function$;

comment on function "private"."my_notifications"(timestamp with time zone, integer) is 'Up to 50 groups of the caller''s notifications, newest first, and how many are unread, at most 99 and without direct messages.';

comment on function "public"."my_notifications"(timestamp with time zone, integer) is 'The caller''s notifications: `items`, newest first, and how many are `unread`, but for direct messages, which are counted where they are read (`unread_conversations`). The next page is before the created_at of the last item. `as_of` is a moment since which all changes are worth a new reading.';
