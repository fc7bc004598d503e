import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { isDate } from '../../../pack/src/upload/entry-dates.ts';
import { fieldOf } from '../../../pack/src/upload/fields.ts';
import { fold, namesIn } from '../../../pack/src/upload/spelling.ts';
import { trendField } from '../../../pack/src/upload/trend-columns.ts';
import { isNumbering } from '../../../pack/src/upload/unrecognised.ts';
import { monthOfName } from '../../../pack/src/upload/written-dates.ts';
import { currencyIn } from './currencies.ts';
import type { Meaning } from './reading.ts';

/** What the name of a column suggests; its values decide. */
export type Suggestion = {
  readonly meaning: Meaning;
  /** Of several columns with one meaning, the lowest is taken. */
  readonly rank: number;
};

/** The names of levels of a grouping, from the top down, in the languages that tools write headers in. */
const levelNames = [
  `
  pillar, pillar topic, pillar page, hub, pilier, pilar, pilastro, säule, столп, ピラー, тематика, направление,
  раздел, section, sektion, sección, sezione, sekcja
  `,
  `
  topic, topics, main topic, keyword topic, thema, hauptthema, thème, sujet, tema, tópico, argomento, onderwerp, emne,
  ämne, aihe, temat, téma, тема, konu, θέμα, トピック, 主题, 主題,
  주제, chủ đề, topik
  `,
  `
  group, keyword group, group name, ad group, gruppe, keyword gruppe, anzeigengruppe, groupe, groupe d annonces,
  groupe de mots clés, grupo, grupo de anuncios, grupo de anúncios, gruppo, grupo de palabras clave,
  gruppo di annunci, grup, groep, advertentiegroep, zoekwoordgroep, grupp, annonsgrupp, annoncegruppe, annonsegruppe,
  ryhmä, mainosryhmä, grupa, grupa reklam, skupina, reklamní sestava, csoport, hirdetéscsoport, группа,
  группа объявлений, группа запросов, група, reklam grubu, ομάδα, グループ, 広告グループ, 组, 分组, 广告组, 群組,
  廣告群組, 그룹, 광고그룹, nhóm, nhóm quảng cáo, kelompok, grup iklan, กลุ่ม, مجموعة, קבוצה
  `,
  `
  category, keyword category, kategorie, catégorie, categoría, categoria, categorie, kategori, kategoria, kategória,
  категория, категорія, κατηγορία, カテゴリ, カテゴリー, 类别, 分类, 類別, 카테고리,
  danh mục, หมวดหมู่, الفئة, קטגוריה
  `,
  `
  parent, parent keyword, parent topic, core keyword, main keyword, hauptkeyword, mot clé principal,
  palabra clave principal, parola chiave principale, основной запрос, главный запрос, маркер, маркерный запрос,
  親トピック, 親キーワード
  `,
  `
  subtopic, sub topic, subcategory, subgroup, unterthema, unterkategorie, untergruppe, sous thème, sous catégorie,
  sous groupe, subtema, subcategoría, subcategoria, subgrupo, sottocategoria, sottogruppo, subonderwerp, subcategorie,
  underkategori, подтема, подкатегория, подгруппа, подраздел, サブトピック, 子主题
  `,
  `
  cluster, cluster name, topic cluster, keyword cluster, clúster, clustername, keyword clusters, nom du cluster,
  nombre del cluster, klaster, shluk, klaszter, klasteri, klynge, kluster, кластер, название кластера, küme, συστάδα,
  クラスタ, クラスター, 聚类, 集群, 클러스터, cụm
  `,
  'page',
].map((list) => namesIn(list).map(levelKey));

/** Like the names of fields, names of levels are compared without accents and apostrophes. */
function levelKey(name: string): string {
  return normalForm(fold(name).replace(/['’]/gu, ''), 'NFD').replace(/[\u0300-\u036f]/gu, '');
}

/**
 * Where a column stands in a grouping by its name: 0 is the top. Undefined for a name that is no level's. "Tier 2" and
 * "Level 2" stand by their numbers.
 */
export function levelRank(name: string): number | undefined {
  const key = levelKey(name);
  const numbered =
    /^(?:tier|level|ebene|niveau|nivel|livello|poziom|nivå|niveau|уровень|レベル|层级|cluster|group)(\d{1,2})$/u.exec(
      key,
    );
  if (numbered) return Number(numbered[1]) / 100;
  const rank = levelNames.findIndex((names) => names.includes(key));
  return rank < 0 ? undefined : rank;
}

/** What a column name suggests; undefined for an unknown name. A level of a grouping suggests "keep" until it is ordered. */
export function suggestionOf(name: string): Suggestion | undefined {
  return suggestionOfWhole(name) ?? suggestionWithout(currencyIn(name));
}

/** What the name of a column of costs suggests without its currency. */
function suggestionWithout(named: ReturnType<typeof currencyIn>): Suggestion | undefined {
  const suggestion = named && suggestionOfWhole(named.rest);
  return suggestion && isCost(suggestion.meaning) ? suggestion : undefined;
}

/** Whether values are amounts of money. */
export const isCost = (meaning: Meaning): boolean => /^(?:cpc|cpcBound|trafficCost)$/u.test(meaning);

function suggestionOfWhole(name: string): Suggestion | undefined {
  if (levelRank(name) !== undefined && fieldOf(name)?.name !== 'page') return { meaning: 'keep', rank: 0 };
  if (isDate(name)) return { meaning: 'date', rank: 0 };
  const field = fieldOf(name);
  switch (field?.name) {
    case undefined:
      if (trendField(name) >= 0 || monthOfName(name)) return { meaning: 'trendMonth', rank: 0 };
      return isNumbering(name) ? { meaning: 'leaveOut', rank: 0 } : undefined;
    case 'page':
      // After all other spellings of an address.
      return { meaning: 'url', rank: 100 };
    case 'competitors':
      return { meaning: 'resultUrl', rank: field.rank };
    case 'updated':
      return { meaning: 'date', rank: 1 };
    case 'parent':
    case 'tags':
    case 'status':
    case 'notes':
    case 'funnelStage':
      return { meaning: 'keep', rank: field.rank };
    default:
      return { meaning: field!.name, rank: field!.rank };
  }
}

export const isKeywordName = (name: string): boolean => fieldOf(name)?.name === 'keyword';

/** What a name suggests without "global" or "worldwide" in it; undefined if it has neither. */
export function globalSuggestionOf(name: string): Suggestion | undefined {
  const trimmed = name.trim();
  const local = trimmed.replace(/^global\s|\((?:global|worldwide|all countries)\)$/iu, '');
  return local === trimmed ? undefined : suggestionOf(local);
}

/** Whether a header cell is the name of a field or of a level. */
export const isKnownName = (name: string): boolean => {
  const meaning = suggestionOf(name)?.meaning;
  return meaning !== undefined && meaning !== 'leaveOut';
};
