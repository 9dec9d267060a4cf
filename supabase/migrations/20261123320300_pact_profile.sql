-- The profile shows the pacts a member has kept.
create or replace function private.member_profile(member uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  shown public.profiles;
  choices public.profile_choices;
  has_blocked boolean;
begin
  perform private.enforce_rate_limit(caller, 'people');
  select p.* into shown from public.profiles p join auth.users u on u.id = p.id
  where p.id = member and private.effective_level(p.id) > 0
    and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    and not exists (select from private.member_blocks b where b.user_id = p.id and b.blocked_id = caller);
  if not found then
    return null;
  end if;
  has_blocked := exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = shown.id);
  if has_blocked then
    return jsonb_build_object(
      'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role, 'is_blocked', true
    );
  end if;
  select c.* into choices from public.profile_choices c where c.user_id = shown.id;
  return jsonb_build_object(
    'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role,
    'occupation', shown.occupation, 'bio', shown.bio, 'avatar_url', shown.avatar_url, 'is_blocked', false,
    'level', private.effective_level(shown.id), 'topics', to_jsonb(coalesce(choices.topics, '{}')),
    'joined_on', (select (u.created_at at time zone 'utc')::date from auth.users u where u.id = shown.id),
    'submissions', case when coalesce(choices.shows_submissions, true) then (
      select jsonb_build_object(
        'count', (select count(*) from public.learning_submissions s where s.user_id = shown.id),
        'newest', coalesce((
          select jsonb_agg(jsonb_build_object(
            'id', n.id, 'type', n.submission_type, 'title', n.title, 'created_at', n.created_at
          ) order by n.created_at desc, n.id desc)
          from (
            select s.* from public.learning_submissions s where s.user_id = shown.id
            order by s.created_at desc, s.id desc limit 5
          ) n
        ), '[]')
      )
    ) end,
    'kept_pacts', case when coalesce(choices.shows_submissions, true) then private.kept_pacts(shown.id) end
  );
end
$$;
