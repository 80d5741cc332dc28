//! Builds parts and messages from the caller's own values, by their rows in [`spec`](super::spec).

use super::error::{Error, expect_kind};
use super::names::Key;
use super::problem::Path;
use super::spec::{BASE, FieldKind, FieldSpec, MESSAGE_BASE, MessageSpec, Origin, PartSpec};
use super::view::{Build, Kind, MAX_ELEMENTS};

/// What a constructor is given besides its row.
struct Construction<'a, V> {
    /// The constructor's name, for error messages.
    function: &'static str,
    /// The caller's value for an option.
    option: &'a dyn Fn(Key) -> V,
    new_id: &'a mut dyn FnMut() -> String,
    now: &'a dyn Fn() -> f64,
}

impl<V: Build> Construction<'_, V> {
    /// The option, unless it is a getter that throws: a part without it would be wrong.
    fn readable(&self, key: Key) -> Result<V, Error> {
        let value = (self.option)(key);
        if value.kind() == Kind::Unreadable {
            let path = Path::ROOT;
            let message = format!("`{}` throws when it is read", key.as_str());
            return Err(Error::rule("schema", &path.key(key), message));
        }
        Ok(value)
    }

    /// The option, which may be neither absent nor null.
    fn required(&self, key: Key) -> Result<V, Error> {
        let value = self.readable(key)?;
        if value.kind().is_nullish() {
            return Err(Error::missing(self.function, key));
        }
        Ok(value)
    }

    /// The caller's id, or a new one if it is absent or empty.
    fn id(&mut self) -> Result<V, Error> {
        let id = self.readable(Key::Id)?;
        Ok(match id.kind() {
            Kind::Missing | Kind::Null | Kind::EmptyString => V::string(&(self.new_id)()),
            _ => id,
        })
    }

    /// `{created}`: the option, or else now. An explicit `0` counts.
    fn created(&self, from: Origin) -> Result<V, Error> {
        if from == Origin::CreatedOrNow {
            let created = self.readable(Key::Created)?;
            if !created.kind().is_nullish() {
                return Ok(V::object().with(Key::Created, &created));
            }
        }
        let mut time = V::object();
        time.put_number(Key::Created, (self.now)());
        Ok(time)
    }

    /// An object whose fields are options themselves.
    fn inside(&self, kind: FieldKind) -> Result<V, Error> {
        let mut object = V::object();
        if let FieldKind::Object(fields) = kind {
            for field in fields {
                object.put(field.key, &self.required(field.key)?);
            }
        }
        Ok(object)
    }

    /// Sets these fields of the new object.
    fn set(&mut self, object: &mut V, fields: &[FieldSpec]) -> Result<(), Error> {
        for field in fields {
            let value = match field.origin {
                Origin::Option if field.is_required() => self.required(field.key)?,
                Origin::Option => {
                    let given = self.readable(field.key)?;
                    // `null` counts as absent here.
                    if given.kind().is_nullish() {
                        continue;
                    }
                    given
                }
                Origin::OptionsInside => self.inside(field.kind)?,
                Origin::IdOrNew => self.id()?,
                Origin::CreatedOrNow | Origin::Now => self.created(field.origin)?,
                Origin::Zero => {
                    put_zero(object, field);
                    continue;
                }
                Origin::Later => continue,
            };
            object.put(field.key, &value);
        }
        Ok(())
    }
}

/// Sets a count to 0, and of an object its required counts.
fn put_zero<V: Build>(object: &mut V, field: &FieldSpec) {
    let fields = match field.kind {
        FieldKind::Named(inside) => inside.fields,
        FieldKind::Object(fields) => fields,
        _ => return object.put_number(field.key, 0.0),
    };
    let mut inside = V::object();
    for field in fields.iter().filter(|field| field.is_required()) {
        put_zero(&mut inside, field);
    }
    object.put(field.key, &inside);
}

/// Builds a part by its row. `option` gives the caller's value for an option, `now` the time in
/// milliseconds since the Unix epoch, for parts whose row says so.
///
/// # Errors
/// `MissingRequiredField` if a required option is absent or null.
///
/// ```
/// use apex_parts_model::{Build, Owned, View, factory, spec};
/// let options = Owned::from(serde_json::json!({"sessionID": "s", "messageID": "m", "text": "hi"}));
/// let part = factory::part(&spec::TEXT, &|key| options.get(key), &mut || "new".into(), &|| 0.0)?;
/// assert_eq!(part.into_json(), serde_json::json!(
///     {"id": "new", "sessionID": "s", "messageID": "m", "type": "text", "text": "hi"}));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn part<V: Build>(
    row: &PartSpec,
    option: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: &dyn Fn() -> f64,
) -> Result<V, Error> {
    let mut with = Construction { function: row.function(), option, new_id, now };
    let mut part = V::object();
    with.set(&mut part, BASE)?;
    part.put_word(Key::Type, row.word);
    with.set(&mut part, row.fields)?;
    Ok(part)
}

/// Builds a message by its row, created at `now`. The cost and tokens of an assistant message are 0.
///
/// # Errors
/// `MissingRequiredField` if a required option is absent or null.
pub fn message<V: Build>(
    row: &MessageSpec,
    option: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
    now: &dyn Fn() -> f64,
) -> Result<V, Error> {
    let mut with = Construction { function: row.function(), option, new_id, now };
    let mut message = V::object();
    with.set(&mut message, MESSAGE_BASE)?;
    message.put_word(Key::Role, row.role);
    with.set(&mut message, row.fields)?;
    Ok(message)
}

/// Builds a message with its parts, in their order, from the options `info` and `parts`. A part that lacks `id` gets a
/// new one; one that lacks `sessionID` or `messageID` gets those of the message, in a new object. A part that has all
/// three is the caller's own.
///
/// # Errors
/// `MissingRequiredField` if an option is absent or null; `PartValidationError` if `info` is not an object, `parts` is
/// not an array of objects (`schema`), or a part names another message or session (WP-1).
///
/// ```
/// use apex_parts_model::{Build, Owned, View, factory};
/// let options = Owned::from(serde_json::json!({
///     "info": {"id": "m", "sessionID": "s", "role": "user"},
///     "parts": [{"type": "text", "text": "hi"}]
/// }));
/// let message = factory::with_parts(&|key| options.get(key), &mut || "new".into())?;
/// assert_eq!(message.into_json()["parts"], serde_json::json!(
///     [{"id": "new", "sessionID": "s", "messageID": "m", "type": "text", "text": "hi"}]));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn with_parts<V: Build>(
    option: &dyn Fn(Key) -> V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<V, Error> {
    let mut with = Construction { function: "createWithParts", option, new_id, now: &|| f64::NAN };
    let (info, parts) = (with.required(Key::Info)?, with.required(Key::Parts)?);
    let root = Path::ROOT;
    expect_kind(&info, Kind::Object, &root.key(Key::Info))?;
    let path = root.key(Key::Parts);
    expect_kind(&parts, Kind::Array, &path)?;
    let mut list = V::list();
    for at in 0..parts.len().min(MAX_ELEMENTS) {
        let part = parts.at(at);
        let path = path.index(at);
        expect_kind(&part, Kind::Object, &path)?;
        list.push(&with.own_part(part, &info, &path)?);
    }
    Ok(V::object().with(Key::Info, &info).with(Key::Parts, &list))
}

impl<V: Build> Construction<'_, V> {
    /// The part with the ids that it lacks.
    fn own_part(&mut self, part: V, info: &V, path: &Path<'_>) -> Result<V, Error> {
        let owners = [(Key::SessionID, Key::SessionID), (Key::MessageID, Key::Id)];
        let mut is_whole = !part.get(Key::Id).kind().is_nullish();
        for (key, of) in owners {
            let (given, own) = (part.get(key), info.get(of));
            if given.kind().is_nullish() {
                is_whole = false;
            } else if !given.same(&own) {
                let message = format!(
                    "`{}` is not that of the message: leave it out, or correct it",
                    key.as_str()
                );
                return Err(Error::rule("WP-1", &path.key(key), message));
            }
        }
        if is_whole {
            return Ok(part);
        }
        let mut whole = V::object();
        let id = part.get(Key::Id);
        let id = if id.kind().is_nullish() { V::string(&(self.new_id)()) } else { id };
        whole.put(Key::Id, &id);
        for (key, of) in owners {
            whole.put(key, &info.get(of));
        }
        whole.carry(&part, &[Key::Id, Key::SessionID, Key::MessageID]);
        Ok(whole)
    }
}

/// `{start: now}`, for constructors that take positional arguments.
pub fn started<V: Build>(now: f64) -> V {
    let mut time = V::object();
    time.put_number(Key::Start, now);
    time
}

#[cfg(test)]
mod tests;
