-- Texts of e-mails that administrators may change. The defaults are in supabase/functions/_shared/emails.
create table private.email_texts (
  template text not null references private.email_templates (name),
  key text not null,
  placeholders text[] not null default '{}',
  text text,
  primary key (template, key)
);
comment on table private.email_texts is 'Every text of an e-mail that may be changed in the console.';
comment on column private.email_texts.key is 'subject, heading, or the name of a paragraph.';
comment on column private.email_texts.placeholders is 'Names that may stand in braces, such as plan.';
comment on column private.email_texts.text is 'Plain text in place of the default; null for the default.';
alter table private.email_texts enable row level security;

create function private.changed_email_texts(template text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(t.key, t.text), '{}') from private.email_texts t
  where t.template = changed_email_texts.template and t.text is not null
$$;
comment on function private.changed_email_texts(text) is 'The texts of an e-mail that differ from the defaults, by key.';

-- @rpc authenticated
-- Administrators with a second factor: the texts of e-mails that may be changed.
create function private.email_text_overview()
  returns table (template text, key text, placeholders text[], text text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select t.template, t.key, t.placeholders, t.text from private.email_texts t order by t.template, t.key;
end
$$;
comment on function private.email_text_overview() is 'Every text that may be changed; text is null for the default.';

-- @rpc authenticated (template, key, new_text)
-- Administrators with a second factor: replace a text of an e-mail; null brings the default back.
create function private.set_email_text(template text, key text, wanted text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored private.email_texts;
  new_text text := btrim(wanted);
  longest integer := case key when 'subject' then 78 when 'heading' then 100 else 1000 end;
  unknown text;
begin
  select t.* into stored from private.email_texts t
  where t.template = set_email_text.template and t.key = set_email_text.key for update;
  if not found then
    perform private.fail('FF442', 'There is no such text.');
  end if;
  if new_text is not null then
    if new_text = '' or char_length(new_text) > longest or new_text ~ '[[:cntrl:]\u2028\u2029]' then
      perform private.fail('FF443', format('This text is one line of 1 to %s characters.', longest));
    end if;
    -- What is left of braces after the known names is a name nothing would fill in.
    select m[1] into unknown from regexp_matches(new_text, '\{[^{}]*\}?|\}', 'g') with ordinality x (m, place)
    where m[1] <> all (array(select '{' || p || '}' from unnest(stored.placeholders) p)) order by place limit 1;
    if unknown is not null then
      perform private.fail('FF444', 'The text names a value this e-mail does not have.', unknown);
    end if;
  end if;
  update private.email_texts t set text = new_text where t.template = stored.template and t.key = stored.key;
  perform private.audit_change(
    admin, 'email_text.edited', jsonb_build_object('template', stored.template, 'key', stored.key),
    jsonb_build_object('text', stored.text), jsonb_build_object('text', new_text)
  );
end
$$;
comment on function private.set_email_text(text, text, text) is
  'Replaces a text of an e-mail, or brings the default back (null). Checks length and placeholders. Audited.';
