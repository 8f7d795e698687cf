import type { AdministrationOverview } from '../../../../../schemas/administration.js'
import { Fact } from '../../components/fact.js'
import { formatBytes, formatCount } from '../../components/figures.js'
import { Notice } from '../../components/notice.js'
import { ShareBar } from '../../components/share-bar.js'
import { Time } from '../../components/time.js'

/** The page warns below this share of free disk space. */
const minFreeShare = 0.1

type StorageUse = AdministrationOverview['storage']

/** Whether the page warns of little free space. */
export const isDiskNearlyFull = (disk: StorageUse['disk']): boolean =>
  disk !== null && disk.free_bytes < disk.total_bytes * minFreeShare

/** Sizes of the database, of its largest tables, of uploads and full texts, and the space that is left. */
export function Storage ({ database: { kind, version, migration, bytes, tables }, disk, uploads, full_texts }: StorageUse) {
  const used = disk === null ? 0 : 1 - disk.free_bytes / disk.total_bytes
  const largest = tables.filter(table => table.bytes >= bytes / 200).slice(0, 10)
  return (
    <section aria-labelledby='storage'>
      <h2 id='storage'>Storage</h2>
      <dl class='properties'>
        <Fact name='Database'>{kind === 'embedded' ? 'embedded' : 'PostgreSQL server'}, PostgreSQL {version}</Fact>
        <Fact name='Schema version'>{migration}</Fact>
        <Fact name='Size'>{formatBytes(bytes)}</Fact>
        <Fact name='Full texts'>
          {formatBytes(full_texts.bytes)}
          <span class='quiet-text property-more'>{formatCount(full_texts.count)} {full_texts.count === 1 ? 'text' : 'texts'}</span>
        </Fact>
        <Fact name='Uploads in progress'>
          {formatBytes(uploads.bytes)}
          <span class='quiet-text property-more'>{formatCount(uploads.waiting)} {uploads.waiting === 1 ? 'file' : 'files'}</span>
        </Fact>
        {disk !== null && (
          <Fact name='Data disk'>
            {formatBytes(disk.free_bytes)} free of {formatBytes(disk.total_bytes)}
            <ShareBar share={used} kind={used > 1 - minFreeShare ? 'warn' : 'accent'} />
          </Fact>
        )}
      </dl>
      {largest.length === 0
        ? <p class='quiet-text'>No table holds data yet.</p>
        : (
          <div class='scroll' tabIndex={0} role='region' aria-label='Tables'>
            <table class='tables'>
              <caption class='unseen'>The largest tables</caption>
              <thead>
                <tr>
                  <th scope='col'>Table</th>
                  <th scope='col' class='number'>
                    Rows (est.)
                  </th>
                  <th scope='col' class='number'>
                    Size
                  </th>
                  <th scope='col' class='share'>
                    <span class='unseen'>Share</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {largest.map(({ name, rows, bytes: own }) => (
                  <tr key={name}>
                    <td>
                      <code>{name}</code>
                    </td>
                    <td class='number'>{rows === null ? '–' : formatCount(rows)}</td>
                    <td class='number'>{formatBytes(own)}</td>
                    <td class='share'>
                      <ShareBar share={own / bytes} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          )}
    </section>
  )
}

/** Scheduled backups, and the last restore drill. */
export const Backups = ({ backups }: Pick<StorageUse, 'backups'>) => (
  <section aria-labelledby='backups'>
    <h2 id='backups'>Backups</h2>
    {backups === null
      ? <p class='quiet-text'>No scheduled backups. Set <code>BACKUP_DIR</code>, or run <code>litfeed backup FILE</code> from a timer.</p>
      : (
        <>
          {backups.failing && (
            <Notice kind='bad'>
              The last backup failed, <Time at={backups.last_failure!.at} precise />: {backups.last_failure!.error}
            </Notice>
          )}
          {backups.last_verified?.ok === false && (
            <Notice kind='bad'>The backup {backups.last_verified.file} could not be restored. Make another, and verify it.</Notice>
          )}
          <dl class='properties'>
            <Fact name='Last backup'>
              <Time at={backups.last_success?.at ?? null} precise missing='none yet' />
              {backups.last_success !== null && (
                <span class='quiet-text property-more'>
                  {formatCount(backups.last_success.rows)} rows, {formatBytes(backups.last_success.bytes)}
                </span>
              )}
            </Fact>
            <Fact name='Last verified'>
              <Time at={backups.last_verified?.at ?? null} precise />
              <span class='quiet-text property-more'>
                {backups.last_verified === null
                  ? <code>litfeed backup --verify FILE</code>
                  : `${backups.last_verified.file}: ${backups.last_verified.ok ? 'restores completely' : 'cannot be restored'}`}
              </span>
            </Fact>
            <Fact name='Files'>
              {formatCount(backups.files.count)}
              <span class='quiet-text property-more'>{formatBytes(backups.files.bytes)}</span>
            </Fact>
            <Fact name='Schedule'>
              {backups.every_hours === 1 ? 'every hour' : `every ${backups.every_hours} hours`}, {backups.keep} kept
            </Fact>
            <Fact name='Directory'><code>{backups.directory}</code></Fact>
          </dl>
        </>
        )}
  </section>
)
