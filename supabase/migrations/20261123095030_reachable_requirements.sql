-- The preview of a requirement counts every room a member has opened, and a requirement above what there is is refused.
create function private.progress_count_uncapped(progress public.user_progress, kind text, category text) returns integer
  language sql stable set search_path = '' as $$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$$;
revoke all on function private.progress_count_uncapped from public, anon, authenticated, service_role;
comment on function private.progress_count_uncapped(public.user_progress, text, text) is
  'A member''s count for one kind of requirement as it would be without room_count_limit.';

create or replace function private.preview_level_requirement(level integer, kind text, needed integer) returns table (
  current_needed integer, available integer, members integer, ready_before integer, ready_after integer
)
  language plpgsql security definer set search_path = '' as $$
declare
  stored public.level_requirements;
begin
  perform private.require_verified_admin();
  stored := private.require_requirement(level, kind, needed);
  return query
    with members as (
      -- The next progress event brings the counter of rooms up to the ledger and the new figure.
      select private.progress_count_uncapped(p, stored.kind, stored.category) as done,
        (select bool_and(private.progress_count_uncapped(p, r.kind, r.category) >= r.needed) from public.level_requirements r
          where r.level = stored.level and r.kind <> stored.kind) is not false as has_rest
      from public.user_progress p join public.profiles f on f.id = p.user_id
      where p.current_level = stored.level and f.onboarding_complete and f.role <> 'admin'
        and not exists (select from public.level_completions d where d.user_id = p.user_id and d.level = stored.level)
    )
    select stored.needed,
      (select s.available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind),
      count(*)::integer,
      (count(*) filter (where m.has_rest and m.done >= stored.needed))::integer,
      (count(*) filter (where m.has_rest and m.done >= preview_level_requirement.needed))::integer
    from members m;
end
$$;

create or replace function private.set_level_requirement(level integer, kind text, needed integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored public.level_requirements := private.require_requirement(level, kind, needed);
  available integer;
begin
  select s.available into available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind;
  if set_level_requirement.needed > available then
    perform private.fail('FF445', 'A level cannot ask for more than there is.', available::text);
  end if;
  update public.level_requirements r set needed = set_level_requirement.needed
  where r.level = stored.level and r.kind = stored.kind;
  perform private.audit_change(
    admin, 'level_requirement.edited', jsonb_build_object('level', stored.level, 'kind', stored.kind),
    jsonb_build_object('needed', stored.needed), jsonb_build_object('needed', needed)
  );
end
$$;
comment on function private.set_level_requirement(integer, text, integer) is
  'Changes what a level asks for, from each member''s next progress event; FF445 above what there is. No level is lowered. Audited.';
