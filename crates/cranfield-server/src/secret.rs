//! Passwords, tokens and codes. The database has their hashes only.

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::problem::Problem;

/// Memory for a password, in KiB. Tests sign in hundreds of times, and do not guess passwords.
const MEMORY: u32 = if cfg!(test) { 64 } else { 19 * 1024 };

/// Argon2id with 19 MiB, two passes and one lane.
fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Problem::internal(&error))?;
    Ok(bytes)
}

/// The hash of a password, with its salt and parameters.
pub(crate) fn hash_password(password: &str) -> Result<String, Problem> {
    let salt: [u8; 16] = random()?;
    let hash = argon2().hash_password_with_salt(password.as_bytes(), &salt);
    hash.map(|hash| hash.to_string())
        .map_err(|error| Problem::internal(&error))
}

/// Whether a password has this hash.
pub(crate) fn is_password(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
}

/// Passwords are 10 to 128 characters, any characters, and not the login.
pub(crate) fn check_password(password: &str, login: &str) -> Result<(), Problem> {
    let length = password.chars().count();
    if !(10..=128).contains(&length) {
        return Err(Problem::field(
            "password",
            "A password has 10 to 128 characters.",
        ));
    }
    if password.eq_ignore_ascii_case(login) {
        return Err(Problem::field(
            "password",
            "The password must differ from the login.",
        ));
    }
    Ok(())
}

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Letters and digits that cannot be mistaken for each other, five bits each.
fn letters(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

/// A secret of 255 bits, for sessions and API tokens.
pub(crate) fn token(prefix: &str) -> Result<String, Problem> {
    Ok(format!("{prefix}{}", letters(&random::<51>()?)))
}

/// A code of 50 bits that people type.
pub(crate) fn code() -> Result<String, Problem> {
    let text = letters(&random::<10>()?).to_ascii_uppercase();
    Ok(format!("{}-{}", &text[..5], &text[5..]))
}

/// A code as people may type it: any case, with or without the hyphen, and O for 0, I and L for 1.
pub(crate) fn normal_code(typed: &str) -> String {
    let kept = typed.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    })
    .collect()
}

/// What the database keeps of a secret. Secrets are long and random, so that a fast hash does.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    blake3::hash(secret.as_bytes()).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_match_their_own_hash_only() {
        let hash = hash_password("correct horse").expect("a hash");
        let wanted = format!("$argon2id$v=19$m={MEMORY},t=2,p=1$");
        assert!(hash.starts_with(&wanted), "{hash}");
        assert!(is_password("correct horse", &hash));
        assert!(!is_password("correct horse ", &hash));
        assert!(!is_password("correct horse", "nonsense"));
    }

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = code().expect("a code");
        let typed = code
            .to_lowercase()
            .replace('-', " ")
            .replace('0', "o")
            .replace('1', "l");
        assert_eq!(normal_code(&typed), normal_code(&code));
        assert_eq!(code.len(), 11);
        assert_ne!(
            token("crf_").expect("a token"),
            token("crf_").expect("a token")
        );
    }
}
