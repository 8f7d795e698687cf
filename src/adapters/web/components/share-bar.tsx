/** A share of a whole as a bar, beside its text. @param share 0 to 1 */
export const ShareBar = ({ share, kind = 'accent' }: { share: number, kind?: 'accent' | 'warn' | 'bad' }) => (
  <svg class={`share-bar ${kind}`} viewBox='0 0 100 6' preserveAspectRatio='none' aria-hidden='true'>
    <rect class='share-bar-whole' width='100' height='6' />
    <rect class='share-bar-part' width={Math.max(0, Math.min(100, Math.round(share * 1000) / 10))} height='6' />
  </svg>
)
