import { type Kysely, sql } from 'kysely'

/**
 * The tables of the local identity provider, in a schema of their own. Names and types are those that better-auth
 * 1.7.6 asks for (a test compares them); the password attempts and the tie from our sessions to its are ours.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema identity`.execute(db)
  await createPeople(db)
  await createKeysAndLimits(db)
  await createAttempts(db)

  // What ends a sign-in at the provider ends, by the cascade, every application session opened from it.
  await sql`
    alter table sessions
    add column provider_session uuid references identity.session on delete cascade`.execute(db)
  await sql`create index sessions_provider_session on sessions (provider_session)`.execute(db)
}

async function createPeople(db: Kysely<unknown>) {
  await sql`
    create table identity."user" (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      email text not null unique,
      "emailVerified" boolean not null,
      image text,
      "createdAt" timestamptz not null default current_timestamp,
      "updatedAt" timestamptz not null default current_timestamp
    )`.execute(db)

  await sql`
    create table identity.session (
      id uuid primary key default gen_random_uuid(),
      "expiresAt" timestamptz not null,
      token text not null unique,
      "createdAt" timestamptz not null default current_timestamp,
      "updatedAt" timestamptz not null,
      "ipAddress" text,
      "userAgent" text,
      "userId" uuid not null references identity."user" on delete cascade
    )`.execute(db)
  await sql`create index "session_userId_idx" on identity.session ("userId")`.execute(db)

  await sql`
    create table identity.account (
      id uuid primary key default gen_random_uuid(),
      "accountId" text not null,
      "providerId" text not null,
      "userId" uuid not null references identity."user" on delete cascade,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" timestamptz,
      "refreshTokenExpiresAt" timestamptz,
      scope text,
      password text,
      "createdAt" timestamptz not null default current_timestamp,
      "updatedAt" timestamptz not null,
      unique ("providerId", "accountId")
    )`.execute(db)
  await sql`create index "account_userId_idx" on identity.account ("userId")`.execute(db)
}

async function createKeysAndLimits(db: Kysely<unknown>) {
  await sql`
    create table identity.verification (
      id uuid primary key default gen_random_uuid(),
      identifier text not null,
      value text not null,
      "expiresAt" timestamptz not null,
      "createdAt" timestamptz not null default current_timestamp,
      "updatedAt" timestamptz not null default current_timestamp
    )`.execute(db)
  await sql`create index verification_identifier_idx on identity.verification (identifier)`.execute(db)

  await sql`
    create table identity.jwks (
      id uuid primary key default gen_random_uuid(),
      "publicKey" text not null,
      "privateKey" text not null,
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz,
      alg text,
      crv text
    )`.execute(db)

  await sql`
    create table identity."rateLimit" (
      id uuid primary key default gen_random_uuid(),
      key text not null unique,
      count integer not null,
      "lastRequest" bigint not null
    )`.execute(db)
}

async function createAttempts(db: Kysely<unknown>) {
  await sql`
    create table identity.attempts (
      key text primary key,
      failures integer not null,
      since timestamptz not null,
      known_until timestamptz,
      forget_at timestamptz not null
    )`.execute(db)
  await sql`create index attempts_forget on identity.attempts (forget_at)`.execute(db)
}
