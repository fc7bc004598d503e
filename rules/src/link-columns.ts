/**
 * The file's own columns that the visitors of a client link see: those that its maker chose, by name, or all that do not
 * look personal, for a link whose creator had no choice.
 */
export type ShownColumns = readonly string[] | 'impersonal';

/** What a column is known by. `values`: of a category or a set. */
export type FileColumn = {
  readonly name: string;
  /** `none`: it has no values that can be shown, coloured or filtered by. */
  readonly kind: 'number' | 'category' | 'set' | 'none';
  readonly values?: readonly string[];
  /** Other figures are weighted by this column, or it by another: what is shown of them depends on it. */
  readonly role?: string | undefined;
};

/** Whether a maker chooses if a column is shown. Figures that others are computed with are part of every link. */
const isChosen = (column: FileColumn): boolean => column.role === undefined;

/** Whether the form of a new link offers a column: one of the file itself, of those that calls list as fields. */
export const isOffered = (column: FileColumn): boolean =>
  isChosen(column) && !['competition', 'position'].includes(column.name) && !column.name.startsWith('season=');

export function isShown(column: FileColumn, columns: ShownColumns): boolean {
  if (!isChosen(column)) return true;
  return columns === 'impersonal' ? !looksPersonal(column) : columns.includes(column.name);
}

/**
 * Whether a column may be about people or internal work: by a word of its name, or by values that are email addresses.
 * One guess too many costs its owner a click; one too few shows a client what nobody meant to show.
 */
export function looksPersonal({ name, values = [] }: FileColumn): boolean {
  return namesPeople(name) || values.some(hasEmail);
}

/** Any address within a text, without a regular expression: values may be long. */
function hasEmail(text: string): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
    if (isPart(text[at - 1]) && isPart(text[at + 1])) return true;
  }
  return false;
}

function namesPeople(name: string): boolean {
  const words = wordsOf(name);
  const joined = words.join('');
  return words.some((word) => personalWords.has(word)) || personalStems.some((stem) => joined.includes(stem));
}

/** In lower case without accents, divided at everything that is no letter and at humps: `contactEmail`, `E-Mail`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('đ', 'd')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** Within a name, also where words are written together: `emailaddress`, `Ansprechpartnerin`, `proprietaire`. */
const personalStems: readonly string[] = [
  // The languages in which headers of lists are recognised, and others that keyword research is often written in.
  ...'email mailto contact owner phone telephone assignee responsib employee customer comment remark password'.split(
    ' ',
  ),
  ...'besitzer eigentumer eigentuemer verantwort zustandig zustaendig ansprechpartner kontakt telefon handy'.split(' '),
  ...'bearbeiter mitarbeiter redakteur kunde notiz anmerkung bemerkung kommentar nachname vorname schlagwort'.split(
    ' ',
  ),
  ...'proprietaire responsable courriel portable redacteur remarque commentaire etiquette statut prenom'.split(' '),
  ...'propietario contacto correo telefono movil redactor observaci comentario etiqueta apellido cliente'.split(' '),
  ...'proprietario responsabile contatto cellulare osservazion commento etichetta cognome'.split(' '),
  ...'responsavel contato celular observac sobrenome endereco funcionario'.split(' '),
  ...'eigenaar verantwoordelijk telefoon mobiel klant opmerking voornaam achternaam medewerker'.split(' '),
  ...'wlasciciel odpowiedzialn komentarz notatk uwagi klient imie nazwisko'.split(' '),
  ...'владел ответствен контакт телефон почт примечан комментар заметк статус сотрудник клиент фамили'.split(' '),
  ...'phutrach lienhe dienthoai ghichu nhanxet trangthai khachhang'.split(' '),
];

/** As words of their own: parts of longer ones mean something else. */
const personalWords: ReadonlySet<string> = new Set(
  [
    'mail mails tel fax mobile cell person people persons author writer editor user users username manager staff',
    'client clients team assigned member note notes memo tag tags label labels status stage name names firstname',
    'lastname surname address street birthday salary internal private confidential todo',
    'personen autor autorin nutzer benutzer name namen adresse strasse stand intern vertraulich',
    'personne auteur utilisateur nom interne persona autora usuario nota notas nombre direccion',
    'interno autore utente nome indirizzo stato pessoa naam adres',
    'notitie notities gebruiker persoon osoba uzytkownik nazwa имя автор адрес тег теги метки',
  ].flatMap((line) => line.split(' ')),
);
