import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IB1;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;

/**
 * What Weka 3.6.14 says about every row of a data set, for folds that we prescribe.
 *
 * java Record DATA.arff FOLDS.txt            predictions: a line per learner and run
 * java Record DATA.arff FOLDS.txt seconds N  best processor seconds of N whole cross-validations per learner
 *
 * FOLDS.txt has a line per run with the fold of every row. Rows of a training part and of a test
 * part keep the order they have in the file. A prediction is the first class of largest
 * probability, as in Weka's own evaluation.
 */
public class Record {
  static Classifier learner(String name) throws Exception {
    if (name.equals("naive-bayes")) return new NaiveBayes();
    if (name.equals("c45")) return new J48();
    if (name.equals("ib1")) return new IB1();
    return new IBk(1);
  }

  static int[] crossValidate(String name, Instances data, int[] fold) throws Exception {
    int folds = 0;
    for (int f : fold) folds = Math.max(folds, f + 1);
    int[] said = new int[fold.length];
    for (int f = 0; f < folds; f++) {
      Instances train = new Instances(data, fold.length);
      for (int i = 0; i < fold.length; i++) if (fold[i] != f) train.add(data.instance(i));
      Classifier learner = learner(name);
      learner.buildClassifier(train);
      for (int i = 0; i < fold.length; i++)
        if (fold[i] == f) said[i] = Utils.maxIndex(learner.distributionForInstance(data.instance(i)));
    }
    return said;
  }

  public static void main(String[] args) throws Exception {
    // Weka writes to standard output while it looks for its options; keep that away from ours.
    PrintStream out = System.out;
    System.setOut(System.err);
    Instances data = new Instances(new BufferedReader(new FileReader(args[0])));
    data.setClassIndex(data.numAttributes() - 1);
    List<int[]> runs = new ArrayList<int[]>();
    BufferedReader lines = new BufferedReader(new FileReader(args[1]));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.trim().split(" ");
      int[] fold = new int[words.length];
      for (int i = 0; i < fold.length; i++) fold[i] = Integer.parseInt(words[i]);
      runs.add(fold);
    }
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    for (String name : new String[] {"naive-bayes", "c45", "ib1", "ibk"}) {
      if (args.length > 2) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < Integer.parseInt(args[3]); round++) {
          long start = clock.getCurrentThreadCpuTime();
          for (int[] fold : runs) crossValidate(name, data, fold);
          best = Math.min(best, (clock.getCurrentThreadCpuTime() - start) / 1e9);
        }
        out.println(name + " " + best);
        continue;
      }
      for (int[] fold : runs) {
        StringBuilder line = new StringBuilder(name);
        for (int code : crossValidate(name, data, fold)) line.append(' ').append(code);
        out.println(line);
      }
    }
  }
}
