import java.io.BufferedReader;
import java.io.FileReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.BayesNet;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.functions.VotedPerceptron;
import weka.classifiers.rules.ZeroR;
import weka.core.Instances;
import weka.core.Utils;

/**
 * What further learners of Weka 3.6.14 say about every row of a data set, as Record does.
 *
 * java RecordMore DATA.arff FOLDS.txt           predictions: a line per learner and run
 * java RecordMore DATA.arff FOLDS.txt chances   chances of the last class instead of predictions
 */
public class RecordMore {
  static final String[] NAMES = {"nb-discrete", "tan", "tan-entropy", "perceptron", "majority"};

  static Classifier learner(String name) throws Exception {
    if (name.equals("nb-discrete")) {
      NaiveBayes bayes = new NaiveBayes();
      bayes.setUseSupervisedDiscretization(true);
      return bayes;
    }
    if (name.equals("perceptron")) return new VotedPerceptron();
    if (name.equals("majority")) return new ZeroR();
    BayesNet net = new BayesNet();
    String score = name.equals("tan") ? "BAYES" : "ENTROPY";
    net.setOptions(Utils.splitOptions(
        "-D -Q weka.classifiers.bayes.net.search.local.TAN -- -S " + score
        + " -E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.5"));
    return net;
  }

  static double[][] crossValidate(String name, Instances data, int[] fold) throws Exception {
    int folds = 0;
    for (int f : fold) folds = Math.max(folds, f + 1);
    double[][] said = new double[fold.length][];
    for (int f = 0; f < folds; f++) {
      Instances train = new Instances(data, fold.length);
      for (int i = 0; i < fold.length; i++) if (fold[i] != f) train.add(data.instance(i));
      Classifier learner = learner(name);
      learner.buildClassifier(train);
      for (int i = 0; i < fold.length; i++)
        if (fold[i] == f) said[i] = learner.distributionForInstance(data.instance(i));
    }
    return said;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    System.setErr(new PrintStream(new OutputStream() { public void write(int b) {} }));
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
    for (String name : NAMES) {
      if (name.equals("perceptron") && data.numClasses() != 2) continue;
      for (int[] fold : runs) {
        StringBuilder line = new StringBuilder(name);
        for (double[] chances : crossValidate(name, data, fold))
          line.append(' ').append(args.length > 2
              ? Double.toString(chances[chances.length - 1])
              : Integer.toString(Utils.maxIndex(chances)));
        out.println(line);
      }
    }
  }
}
