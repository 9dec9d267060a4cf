-- Keys are read first, and texts only for the rows of the page.
create function private.export_versions(kind text, after_id uuid, after_version integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  key record;
  item jsonb;
  items jsonb[] := '{}';
  bytes integer := 0;
  last jsonb;
  is_full boolean := false;
begin
  if export_versions.kind is null or export_versions.kind not in ('draft', 'course') then
    perform private.fail('FF303', 'There are no such versions.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_versions');
  for key in
    (
      select v.draft_id as id, v.version
      from public.drafts d join public.draft_versions v on v.draft_id = d.id
      where export_versions.kind = 'draft' and d.owner_id = caller and d.id >= after_id
        and (v.draft_id, v.version) > (after_id, after_version)
      order by v.draft_id, v.version limit 500
    )
    union all
    (
      select v.course_id, v.version
      from public.courses c join private.course_versions v on v.course_id = c.id
      where export_versions.kind = 'course' and c.mentor_id = caller and c.id >= after_id
        and (v.course_id, v.version) > (after_id, after_version)
      order by v.course_id, v.version limit 500
    )
    order by id, version
  loop
    if export_versions.kind = 'draft' then
      select to_jsonb(v) - 'saved_by' into strict item
      from public.draft_versions v where v.draft_id = key.id and v.version = key.version;
    else
      select to_jsonb(v) into strict item
      from private.course_versions v where v.course_id = key.id and v.version = key.version;
    end if;
    is_full := bytes > 0 and bytes + octet_length(item::text) > 2097152;
    exit when is_full;
    bytes := bytes + octet_length(item::text);
    items := items || item;
    last := jsonb_build_object('id', key.id, 'version', key.version);
  end loop;
  return jsonb_build_object(
    'items', to_jsonb(items), 'next', case when is_full or cardinality(items) = 500 then last end
  );
end
$$;
comment on function private.export_versions(text, uuid, integer) is
  'Versions of the caller''s drafts, or replaced ones of the caller''s courses, after one of them: items of at most 2 MB together, one at least, and next, which is null after the last. FF300, FF303.';
grant execute on function private.export_versions to authenticated;

create function public.export_my_versions(
  kind text, after_id uuid default '00000000-0000-0000-0000-000000000000', after_version integer default 0
) returns jsonb
  language sql volatile set search_path = '' as $$ select private.export_versions(kind, after_id, after_version) $$;
comment on function public.export_my_versions(text, uuid, integer) is
  'A page of what the caller saved in the studio (draft), or published and replaced (course). Call it again with next until there is none.';
grant execute on function public.export_my_versions to authenticated;
