import t from 'tap'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { packageRoot } from '../../src/settings/version.js'

const rules = fileURLToPath(new URL('deploy/prometheus-alerts.yml', packageRoot))
const skip = spawnSync('promtool', ['--version']).status === 0 ? false : 'promtool is not installed'

/** Metrics by their series, each with a value that stays for two days, and the series of alerts that fire then. */
interface Case { name: string, metrics: Record<string, number>, firing: Record<string, Array<Record<string, string>>> }

const dayS = 86_400
const cases: Case[] = [
  {
    name: 'a source that never worked fails, as one does without success for a day',
    metrics: {
      'litfeed_source_failing{source="never"}': 1,
      'litfeed_source_failing{source="stale"}': 1,
      'litfeed_source_since_success_seconds{source="stale"}': dayS + 1,
      'litfeed_source_failing{source="recent"}': 1,
      'litfeed_source_since_success_seconds{source="recent"}': dayS - 1,
      'litfeed_source_failing{source="new"}': 0
    },
    firing: { LitfeedSourceFails: [{ source: 'never' }, { source: 'stale' }] }
  },
  {
    name: 'a backup is late after twice its interval',
    metrics: { litfeed_backup_failing: 0, litfeed_backup_interval_seconds: 7 * dayS, litfeed_backup_since_success_seconds: 13 * dayS },
    firing: { LitfeedBackupLate: [] }
  },
  {
    name: 'a backup of every day is late after two days',
    metrics: { litfeed_backup_failing: 0, litfeed_backup_interval_seconds: dayS, litfeed_backup_since_success_seconds: 2 * dayS + 1 },
    firing: { LitfeedBackupLate: [{}] }
  }
]

const summaryOf = (alert: string, { source }: Record<string, string>): string => alert === 'LitfeedSourceFails'
  ? `No fetch from ${source} has succeeded for a day, or at all. Run litfeed doctor to check it.`
  : 'Scheduled backups fail or are late. The administration page and litfeed jobs say why.'

t.test('rules for Prometheus', { skip }, async t => {
  t.equal(spawnSync('promtool', ['check', 'rules', rules]).status, 0)
  for (const { name, metrics, firing } of cases) {
    const file = join(t.testdir(), 'rules.json')
    writeFileSync(file, JSON.stringify({
      rule_files: [rules],
      tests: [{
        interval: '1m',
        input_series: Object.entries(metrics).map(([series, value]) => ({ series, values: `${value}+0x2880` })),
        alert_rule_test: Object.entries(firing).map(([alertname, series]) => ({
          eval_time: '1d',
          alertname,
          exp_alerts: series.map(labels => ({
            exp_labels: { severity: 'ticket', ...labels },
            exp_annotations: { summary: summaryOf(alertname, labels) }
          }))
        }))
      }]
    }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    t.equal(status, 0, `${name}: ${stdout}${stderr}`)
  }
})
