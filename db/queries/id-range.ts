/** Sorts before every id: where a walk through a table by id starts. */
export const firstId = '00000000-0000-0000-0000-000000000000'
/** Sorts after every id: where a walk ends. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
