const paths = {
  up: 'M8 13.5v-11M3.5 7 8 2.5 12.5 7',
  down: 'M8 2.5v11M3.5 9 8 13.5 12.5 9',
  star: 'm8 1.9 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.7l-3.8 2 .7-4.3-3.1-3 4.3-.6z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  back: 'M13.5 8h-11M7 3.5 2.5 8 7 12.5',
  open: 'm4 6 4 4 4-4',
  next: 'M2.5 8h11M9 3.5 13.5 8 9 12.5',
  saved: 'M4 2.5h8v11L8 10.6 4 13.5z',
  text: 'M3 3.5h10M3 6.5h10M3 9.5h10M3 12.5h6',
  out: 'M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5'
} as const
export type IconName = keyof typeof paths

/** A decorative icon beside a text label. */
export const Icon = ({ name, filled = false }: { name: IconName, filled?: boolean }) =>
  <svg class={filled ? 'icon filled' : 'icon'} viewBox='0 0 16 16' width='16' height='16' aria-hidden='true'>
    <path d={paths[name]} />
  </svg>
