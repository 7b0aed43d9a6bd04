import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Times Lucene on one thread. "index DOCUMENTS FOLDER" writes one segment with frequencies and stored ids; "search FOLDER QUERIES
 * DEPTH [ids]" prints the seconds of processor time of the best of several passes, the number of queries and of documents found.
 */
public final class Bench {
    static final String START = "\"contents\":\"";
    static final int PASSES = 6;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("index")) {
            index(Path.of(arguments[1]), Path.of(arguments[2]));
        } else {
            search(Path.of(arguments[1]), Path.of(arguments[2]), Integer.parseInt(arguments[3]), arguments.length > 4);
        }
    }

    static void index(Path documents, Path folder) throws Exception {
        FieldType type = new FieldType();
        type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
        type.setTokenized(true);
        type.freeze();
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
        config.setSimilarity(new BM25Similarity(0.9f, 0.4f)).setRAMBufferSizeMB(256).setUseCompoundFile(false);
        try (Directory directory = new MMapDirectory(folder);
                IndexWriter writer = new IndexWriter(directory, config);
                BufferedReader reader = Files.newBufferedReader(documents)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                int at = line.indexOf(START);
                Document document = new Document();
                document.add(new StoredField("id", line.substring(line.indexOf(":\"") + 2, line.indexOf("\","))));
                document.add(new Field("contents", line.substring(at + START.length(), line.length() - 2), type));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
    }

    static Map<String, Integer> terms(Analyzer analyzer, String text) throws Exception {
        Map<String, Integer> counts = new LinkedHashMap<>();
        try (TokenStream stream = analyzer.tokenStream("contents", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                counts.merge(term.toString(), 1, Integer::sum);
            }
            stream.end();
        }
        return counts;
    }

    static BooleanQuery query(Analyzer analyzer, String text) throws Exception {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (Map.Entry<String, Integer> entry : terms(analyzer, text).entrySet()) {
            TermQuery term = new TermQuery(new Term("contents", entry.getKey()));
            query.add(entry.getValue() == 1 ? term : new BoostQuery(term, entry.getValue()), BooleanClause.Occur.SHOULD);
        }
        return query.build();
    }

    static void search(Path folder, Path queries, int depth, boolean ids) throws Exception {
        List<String> texts = new ArrayList<>();
        for (String line : Files.readAllLines(queries)) {
            texts.add(line.substring(line.indexOf('\t') + 1));
        }
        var threads = ManagementFactory.getThreadMXBean();
        Analyzer analyzer = new EnglishAnalyzer();
        try (DirectoryReader reader = DirectoryReader.open(new MMapDirectory(folder))) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setSimilarity(new BM25Similarity(0.9f, 0.4f));
            searcher.setQueryCache(null);
            double best = Double.MAX_VALUE;
            long found = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                long start = threads.getCurrentThreadCpuTime();
                found = 0;
                for (String text : texts) {
                    for (ScoreDoc hit : searcher.search(query(analyzer, text), depth).scoreDocs) {
                        found += ids && searcher.storedFields().document(hit.doc).get("id").isEmpty() ? 0 : 1;
                    }
                }
                best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / 1e9);
            }
            System.out.println(best + " " + texts.size() + " " + found);
        }
    }
}
