-- The cover of a draft: every version names its picture, and publishing writes it to the article or the course.

create or replace function private.draft_from(kind text, fields jsonb) returns public.draft_versions
  language plpgsql stable set search_path = '' as $$
declare
  read public.draft_versions;
begin
  read.title := btrim(coalesce(fields ->> 'title', ''));
  read.subcategory_id := (fields ->> 'subcategory_id')::uuid;
  read.slug := btrim(coalesce(fields ->> 'slug', ''));
  read.excerpt := btrim(coalesce(fields ->> 'excerpt', ''));
  read.tags := array(
    select t.tag from jsonb_array_elements_text(
      case jsonb_typeof(fields -> 'tags') when 'array' then fields -> 'tags' else '[]' end
    ) with ordinality t (tag, place)
    where kind = 'article' order by t.place
  );
  read.content := case kind when 'article' then coalesce(fields ->> 'content', '') else '' end;
  read.difficulty_level := coalesce(fields ->> 'difficulty_level', 'beginner');
  read.price := case kind when 'course' then coalesce((fields ->> 'price')::numeric, 0) else 0 end;
  read.modules := case kind when 'course' then private.draft_modules(fields -> 'modules') else '[]' end;
  read.cover := nullif(fields ->> 'cover', '');
  -- Only its owner writes a draft.
  if read.cover is not null and starts_with(private.content_picture_name(read.cover), auth.uid() || '-') is not true then
    perform private.fail('FF658', 'The cover is not a picture you have uploaded here.');
  end if;
  return read;
end
$$;
comment on function private.draft_from(text, jsonb) is
  'The text and metadata of a draft, from the object its owner sends; FF658 for a cover that is not a picture of the owner.';

create or replace function private.add_draft_version(draft uuid, version integer, written public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into public.draft_versions (
    draft_id, version, saved_by, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules, cover
  ) values (
    draft, add_draft_version.version, auth.uid(), (written).title, (written).subcategory_id, (written).slug,
    (written).excerpt, (written).tags, (written).content, (written).difficulty_level, (written).price, (written).modules,
    (written).cover
  );
  update public.drafts d set version = add_draft_version.version, title = (written).title, updated_at = clock_timestamp()
  where d.id = draft
$$;

create or replace function private.is_same_version(one public.draft_versions, other public.draft_versions) returns boolean
  language sql immutable set search_path = '' as $$
  select ((one).title, (one).subcategory_id, (one).slug, (one).excerpt, (one).tags, (one).content, (one).difficulty_level,
      (one).price, (one).modules, (one).cover)
    is not distinct from ((other).title, (other).subcategory_id, (other).slug, (other).excerpt, (other).tags,
      (other).content, (other).difficulty_level, (other).price, (other).modules, (other).cover)
$$;

create function private.cover_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'cover', 'This picture is no longer stored. Upload it again.'
  where v.cover is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'content-pictures' and o.name = private.content_picture_name(v.cover)
      and starts_with(o.name, d.owner_id || '-')
  )
$$;
revoke all on function private.cover_issues from public, anon, authenticated, service_role;
comment on function private.cover_issues(public.drafts, public.draft_versions) is
  'What is wrong with the cover of a version: its picture has to be stored by the owner of the draft.';

create or replace function private.draft_issues(d public.drafts, v public.draft_versions) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', i.field, 'message', i.message)), '[]')
  from (
    select p.field, p.message from private.place_issues(d, v) p
    union all
    select o.field, o.message from private.cover_issues(d, v) o
    union all
    select a.field, a.message from private.article_issues(v) a where d.kind = 'article'
    union all
    select c.field, c.message from private.course_issues(v) c where d.kind = 'course'
    union all
    select f.field, f.message from private.film_issues(d, v) f where d.kind = 'course'
  ) i
$$;

create or replace function private.publish_article(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  created uuid;
begin
  if d.article_id is not null then
    update public.articles a
    set title = v.title, excerpt = v.excerpt, content = private.trim_markdown(v.content), tags = v.tags,
      featured_image_url = v.cover, estimated_read_time = private.reading_minutes(v.content), is_published = true
    where a.id = d.article_id;
    return d.article_id;
  end if;
  select coalesce(max(a.display_order), 0) + 1 into place from public.articles a where a.subcategory_id = v.subcategory_id;
  insert into public.articles (subcategory_id, slug, title, excerpt, content, tags, featured_image_url, display_order,
    estimated_read_time, is_published, author_id, created_at)
  values (v.subcategory_id, v.slug, v.title, v.excerpt, private.trim_markdown(v.content), v.tags, v.cover, place,
    private.reading_minutes(v.content), true, d.owner_id, date_trunc('day', now(), 'UTC') - make_interval(secs => place))
  returning id into created;
  return created;
end
$$;

create or replace function private.publish_course(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  target uuid := d.course_id;
begin
  if target is null then
    select coalesce(max(c.display_order), 0) + 1 into place from public.courses c where c.subcategory_id = v.subcategory_id;
    insert into public.courses (subcategory_id, slug, title, description, thumbnail_url, difficulty_level, price,
      display_order, is_published, mentor_id, created_at)
    values (v.subcategory_id, v.slug, v.title, v.excerpt, v.cover, v.difficulty_level, v.price, place, true, d.owner_id,
      date_trunc('day', now(), 'UTC') - make_interval(secs => place))
    returning id into target;
  else
    perform private.keep_course_version(target, v.modules);
    update public.courses c
    set title = v.title, description = v.excerpt, thumbnail_url = v.cover, difficulty_level = v.difficulty_level,
      price = v.price, is_published = true
    where c.id = target;
  end if;
  perform private.publish_modules(target, v.modules);
  return target;
end
$$;
