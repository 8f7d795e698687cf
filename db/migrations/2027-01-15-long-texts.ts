import { type Kysely, sql } from 'kysely'

/** Longer texts are cut when they are converted. */
const maxCharacters = 2_000_000
const note = '\n\n*The text ends here, because it is longer than 2,000,000 characters.*\n'
const warning = 'The document is longer than 2,000,000 characters; the rest was cut.'

/**
 * Cuts texts that were converted before their length was limited, since reading a part reads all. Idempotent, since restoring an older
 * backup runs it again.
 */
export async function up (db: Kysely<any>): Promise<void> {
  // The number of bytes is known without reading a text.
  await sql`
    update markdown
    set markdown = left(markdown, ${sql.lit(maxCharacters - note.length)}) || ${sql.lit(note)},
      warnings = warnings || ${sql.lit(JSON.stringify([warning]))}::jsonb
    where octet_length(markdown) > ${sql.lit(maxCharacters)} and length(markdown) > ${sql.lit(maxCharacters)}`.execute(db)
}
