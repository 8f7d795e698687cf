import t from 'tap'
import { score, toPoints } from '../../schemas/points.js'

t.test('a score is shown in whole points and never as a threshold that it misses', t => {
  t.strictSame([0.596, 0.5999, 0.6, 0.29, 0.57, 0, 1].map(score), ['59', '59', '60', '29', '57', '0', '100'])
  for (let points = 0; points <= 100; points++) t.equal(score(points / 100), String(points))
  t.equal(toPoints(0.615), 61.5)
  t.end()
})
